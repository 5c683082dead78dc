// A nest whose points read what comes before and behind them in their part, or are what whole parts come to: transform/facts/part_scans.hpp.
//
// A block goes through a part. Its threads compute the elements that are scanned, next to each other, and store them in shared memory,
// from the last one on where that is where a scan begins. They scan these together, each a few neighbours; then they are at the points,
// again next to each other.
#pragma once

#include "emit/plan/lower/points.hpp"
#include "transform/facts/part_scans.hpp"

namespace boustro::plan::planner {

/// What the threads of a kernel do.
class PartScans {
 public:
  /// `all`: how many elements there are, as the kernel knows it. `places`: of the outs, likewise.
  PartScans(Code& code, Identifiers& identifiers, const ir::Stm& stm, const facts::PartScans& scans, Expr all, std::vector<OutPlace>& places);

  Stms run();

 private:
  /// The values that are scanned, in shared memory.
  struct Scanned {
    const facts::PartScan& scan;
    const ir::Nest& nest;
    const std::vector<ir::Param>& results;
    Type value = {};  // of one scalar or a struct of several
    std::vector<std::string> fields = {};
    std::string functor = {};
    Expr array = {};
    Expr start = {};  // what comes before the part
  };

  Scanned scanned(const facts::PartScan& scan);
  void over_part();
  void compute();
  void scan(const Scanned& scanned);
  void bind_results(const Scanned& scanned, const Expr& value);
  void points();
  void total();
  ir::Nest without_scans() const;
  Expr value_of(const Scanned& scanned, const std::vector<ir::Atom>& components);
  Expr size() const { return lit(scans_.points, PrimType::i32); }
  /// Of element k in what is scanned.
  Expr place(const Scanned& scanned) const;
  Scalar index(const Expr& value, const Expr& end) const;

  Code& code_;
  Identifiers& identifiers_;
  const ir::Stm& stm_;
  const ir::Nest& nest_;
  const facts::PartScans& scans_;
  Expr all_;
  std::vector<OutPlace>& places_;
  std::vector<Scanned> scanned_;
  Expr k_;                    // number of an element in the part: a variable wherever a thread is at one
  Expr first_, end_, count_;  // of the part
};

}  // namespace boustro::plan::planner
