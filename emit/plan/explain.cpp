// What --explain-plan prints: for each entry the launches and calls in their order, and what they
// need.
#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/build.hpp"
#include "emit/plan/planner.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {

std::string_view word_for(LibraryKind kind) {
  switch (kind) {
    case LibraryKind::reduce:
      return "reduction";
    case LibraryKind::reduce_in_order:
      return "reduction in order";
    case LibraryKind::inclusive_scan:
      return "inclusive scan";
    case LibraryKind::sort:
      return "radix sort";
  }
  return "";
}
namespace {

class Explainer {
 public:
  std::string run(const Program& program) {
    program_ = &program;
    for (const Entry& entry : program.entries) explain(entry);
    return std::move(text_);
  }

  /// What an entry needs, and its steps without the conditions on which they are run, in their order.
  std::vector<std::string> parts_of(const Program& program, const Entry& entry) {
    program_ = &program;
    explain(entry);
    std::vector<std::string> parts;
    std::istringstream lines(std::move(text_));
    std::getline(lines, text_);  // of the entry itself
    for (std::string part; lines >> std::ws && std::getline(lines, part);)
      if (!part.starts_with("if ") && part != "else") parts.push_back(part);
    return parts;
  }

 private:
  void line(int depth, const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n";
  }

  void explain(const Entry& entry) {
    line(0, fmt::format("entry {}{}{}{}", entry.name, entry.waits ? ", waits" : "",
                        entry.allocates ? ", allocates" : "",
                        entry.order_varies ? ", order of additions varies" : ""));
    for (const Piece& piece : entry.scratch.pieces) {
      line(1, fmt::format("scratch {}: {} x {}{}", piece.name, to_string(piece.count), to_string(piece.elem),
                          piece.place_of.empty() ? "" : ", in the memory of " + piece.place_of));
    }
    explain(entry.prologue, 1);
    explain(entry.body, 1);
  }

  void explain(const Stms& stms, int depth) {
    for (const Stm& stm : stms) explain(stm, depth);
  }

  void explain(const Stm& stm, int depth) {
    ir::match(
        stm.what, [&](const Launch& launch) { explain(launch, depth); },
        [&](const Run& run) {
          for (const Entry& entry : program_->entries) {
            for (const Library& library : entry.libraries)
              if (library.name == run.library) explain(library, run, depth);
          }
        },
        [&](const plan::Fill& fill) {
          line(depth,
               fmt::format("fill {}: {} elements", to_string(fill.pointer), to_string(fill.count)));
        },
        [&](const plan::Copy& copy) {
          line(depth, fmt::format("copy {} to {}: {} elements{}", to_string(copy.from), to_string(copy.to),
                                  to_string(copy.count), copy.why.empty() ? "" : ", " + copy.why));
        },
        [&](const Read& read) {
          line(depth, fmt::format("read {}: waits", to_string(read.pointer)));
        },
        [&](const Allocate& allocate) {
          std::string extents;
          for (const Expr& extent : allocate.extents)
            extents += fmt::format("[{}]", to_string(extent));
          line(depth, fmt::format("allocate {}{}", allocate.buffer, extents));
        },
        [&](const For& loop) {
          line(depth, fmt::format("{} {} < {}", loop.parallel ? "parallel loop" : "loop", loop.name,
                                  to_string(loop.to)));
          explain(loop.body, depth + 1);
        },
        [&](const ForLanes& loop) {
          line(depth, fmt::format("points in lanes {} < {}", loop.name, to_string(loop.to)));
          explain(loop.body, depth + 1);
        },
        [&](const While& loop) {
          line(depth, fmt::format("while {}", to_string(loop.condition)));
          explain(loop.body, depth + 1);
        },
        [&](const Ordered& ordered) {
          line(depth, "in order");
          explain(ordered.body, depth + 1);
        },
        [&](const If& branch) {
          line(depth, fmt::format("if {}", to_string(branch.condition)));
          explain(branch.then_body, depth + 1);
          if (!branch.else_body.empty()) line(depth, "else");
          explain(branch.else_body, depth + 1);
        },
        [&](const Return&) { line(depth, "return"); }, [](const auto&) {});
  }

  void explain(const Library& library, const Run& run, int depth) {
    Expr count = library.count;  // which may be a parameter, of which the entry knows more
    for (std::size_t i = 0; i < library.params.size() && i < run.args.size(); ++i)
      if (is_variable(count, library.params[i].name)) count = run.args[i];
    line(depth, fmt::format("{} {} of {} elements by {}", word_for(library.kind), run.library, to_string(count), library.functor));
  }

  void explain(const Launch& launch, int depth) {
    const auto extents = [](const Extents& e) {
      if (e.z) return fmt::format("({}, {}, {})", to_string(e.x), to_string(*e.y), to_string(*e.z));
      return e.y ? fmt::format("({}, {})", to_string(e.x), to_string(*e.y)) : to_string(e.x);
    };
    const Expr* shape = runtime::shape_of(launch.block);
    const Extents grid = shape ? runtime::with_variable(launch.grid, *shape, var("block", shape->type)) : launch.grid;
    std::string text = fmt::format("kernel {}: {} blocks of {}", launch.kernel, extents(grid), shape ? to_string(*shape) : extents(launch.block));
    if (launch.shared_bytes)
      text += fmt::format(", {} bytes shared", to_string(*launch.shared_bytes));
    if (!launch.why.empty()) text += ", " + launch.why;
    for (const Entry& entry : program_->entries) {
      for (const Kernel& kernel : entry.kernels)
        if (kernel.name == launch.kernel) text += about(kernel);
    }
    line(depth, text);
  }

  static std::string about(const Kernel& kernel) {
    std::string text;
    const int atomics = count_atomics(kernel.body);
    if (atomics > 0) text += fmt::format(", {} atomic", atomics);
    std::vector<std::string> scratch;
    for (const Param& param : kernel.params) {
      if (param.access == Access::scratch) scratch.push_back(param.name);
    }
    if (!scratch.empty()) text += fmt::format(", scratch {}", fmt::join(scratch, " "));
    return text;
  }

  static int count_atomics(const Stms& stms) {
    int count = 0;
    for (const Stm& stm : stms) {
      count += std::holds_alternative<Atomic>(stm.what);
      for_each_body(stm, [&](const Stms& body) { count += count_atomics(body); });
    }
    return count;
  }

  const Program* program_ = nullptr;
  std::string text_;
};

/// Without its name, which depends on what else there is: "kernel parts_kernel: 4 blocks" -> "kernel: 4 blocks".
std::string without_name(const std::string& part) {
  const std::size_t word = part.find(' '), colon = part.find(": ");
  return word < colon && colon != std::string::npos ? part.substr(0, word) + part.substr(colon) : part;
}

/// Each part of `second` stands for one of `first`.
std::vector<std::string> only_in_first(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::multiset<std::string> known;
  for (const std::string& part : second) known.insert(without_name(part));
  std::vector<std::string> result;
  for (const std::string& part : first) {
    const auto found = known.find(without_name(part));
    if (found == known.end()) result.push_back(part);
    else known.erase(found);
  }
  return result;
}

}  // namespace

std::string explain(const Program& program) { return Explainer().run(program); }

std::string explain_price(const Program& fixed, const Program& any) {
  std::string text;
  for (const Entry& entry : fixed.entries) {
    const auto other = std::find_if(any.entries.begin(), any.entries.end(), [&](const Entry& e) { return e.name == entry.name; });
    if (other == any.entries.end()) continue;
    std::string price;
    const auto here = Explainer().parts_of(fixed, entry), there = Explainer().parts_of(any, *other);
    for (const std::string& part : only_in_first(here, there)) price += fmt::format("  more        {}\n", part);
    for (const std::string& part : only_in_first(there, here)) price += fmt::format("  instead of  {}\n", part);
    text += fmt::format("price of the fixed order in {}:{}\n{}", entry.name, price.empty() ? " nothing" : "", price);
  }
  return text;
}

}  // namespace boustro::plan
