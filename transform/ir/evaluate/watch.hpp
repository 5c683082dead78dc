// What a loop did to an array of which #[true_dep] promises that no element changes after it was read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace boustro::ir {
struct Stm;
}

namespace boustro::ir::evaluation {

/// Hangs on the buffers that hold versions of the array while the loop runs.
struct Watch : boost::intrusive_ref_counter<Watch, boost::thread_unsafe_counter> {
  const Stm* loop = nullptr;
  std::string array;                   // its name
  std::vector<std::int64_t> sizes;     // of the array
  std::vector<std::int64_t> read_in;   // for each element the iteration that first read it, counted from 1; 0: none
  std::int64_t iteration = 1;
  bool is_open = true;                 // the loop still runs
  boost::intrusive_ptr<Watch> outer;   // of a loop around it, for the same array
};
using WatchRef = boost::intrusive_ptr<Watch>;

struct Array;

/// The loop starts, with the array as this parameter. Yields the watch; the array may become a copy, of its own.
WatchRef begin_watch(Array& array, const Stm* loop, std::string name);
/// The loop has ended, and this is the array.
void end_watch(Array& array, Watch& watch);
/// All elements of a view are read.
void note_read(const Array& view);
/// All elements of a view are going to be overwritten. Fails if one of them was read.
void note_written(const Array& view);
/// What becomes of the buffer is no version of the watched array any more.
void forget_watch(const Array& array);

}  // namespace boustro::ir::evaluation
