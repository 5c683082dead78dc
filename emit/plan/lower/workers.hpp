// A nest that the workers of a cpu share.
//
// Points that have nothing to do with each other are the iterations of a parallel loop. If points need memory of their own,
// that loop is divided into contiguous parts, each of which has it once for all of its points.
//
// What is combined is divided likewise. Each part goes through its points in order, starting from neutral elements, and
//   a reduction   yields the part's value; in the order of parts these are combined to the result
//   a histogram   (and additions to an accumulator) fills bins of its own, the first part those of the result; in the order of
//                 parts these are combined with the result
//   a scan        stores running values of the part. Then the parts take turns, in their order (plan::Ordered): each fetches
//                 what the parts before it come to, and leaves what they and itself come to. It combines the former with what
//                 it has stored, which is still in the cache: parts of a scan are small
// Reductions and histograms take no turns: on a machine that is busy, a worker would wait for one that does not run.
// Operators are associative, and need not commute. How many parts there are depends on sizes alone (templates/parts_for.hpp,
// small_parts_for.hpp), and so do results. A nest of little work is one part, which runs as if there were no others.
//
// In order stay scatters, and accumulators that overwrite, since of several values for a cell the last one remains; scans of
// rows; and what is not dense in memory.
#pragma once

#include "emit/plan/lower/loops.hpp"

namespace boustro::plan::planner {

class Workers {
 public:
  /// `places` as of Loops; `work` is that of one point.
  Workers(Code& code, const ir::Stm& stm, const ir::Nest& nest, std::vector<OutPlace>& places,
          const Scalar& work)
      : code_(code), stm_(stm), nest_(nest), places_(places), work_(work) {}

  void run();

 private:
  /// An array that is added to, and one of its own for each part but the first.
  struct Copies {
    std::string base;
    View first;   // the array itself
    View others;  // [parts - 1] ++ its shape
  };

  bool is_divided() const;
  Parts divided();
  void in_parts();
  void prepare(const Parts& parts);
  void one_part(Parts& parts);
  void reduce(std::size_t out, const Parts& parts);

  void take_turn(const std::vector<OutPlace>& places, const LoopForm& points, const Parts& parts);
  Results variables_before(std::size_t out);
  void carry_on(std::size_t out, const Results& before, const Results& own);
  void join(std::size_t out, const Results& before, const LoopForm& points, const Parts& parts);

  void collect_copies(const Parts& parts);
  void combine_bins(std::size_t out, const Parts& parts);
  Copies copies_of(const std::string& base, const View& array, const Parts& parts);
  View other(const Copies& copies, const Parts& parts);
  View own(const Copies& copies, int dimensions, const Value& neutral, const Parts& parts);
  void fill(const View& array, int dimensions, const Value& neutral);
  /// The names of the out's results.
  const ir::Param& result(std::size_t out, std::size_t k) const;
  Scalar points() const { return code_.extents({nest_.space[0]})[0]; }

  Code& code_;
  const ir::Stm& stm_;
  const ir::Nest& nest_;
  std::vector<OutPlace>& places_;
  const Scalar& work_;
  std::vector<std::vector<View>> values_;  // of each out: what its reduction comes to in each part
  std::vector<Results> carried_;           // of each out: what the parts of its scan so far come to
  std::vector<std::vector<Copies>> bins_;  // of each out
  std::vector<Copies> added_;              // of each accumulator
  bool explained_ = false;                 // what copies are
};

}  // namespace boustro::plan::planner
