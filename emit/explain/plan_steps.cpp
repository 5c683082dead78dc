#include "emit/explain/plan_steps.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "emit/explain/arrays.hpp"
#include "emit/explain/extents.hpp"
#include "emit/plan/build.hpp"
#include "emit/plan/planner.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::explain {
namespace {

using namespace plan;
using nlohmann::json;
using Number = std::function<int(const std::string&)>;

std::string_view word_for(Access access) {
  switch (access) {
    case Access::written:
      return "written";
    case Access::added_to:
      return "added to";
    case Access::updated:
      return "updated";
    case Access::scratch:
      return "scratch";
    case Access::value:
    case Access::read:
      break;
  }
  return "read";
}

/// The steps of one entry.
class Steps {
 public:
  Steps(const Program& program, const Entry& entry, const Number& number) : program_(program), entry_(entry), number_(number) {}

  json run() {
    json steps = json::array();
    add(entry_.prologue, steps);
    add(entry_.body, steps);
    return steps;
  }

 private:
  void add(const Stms& stms, json& steps) {
    for (const Stm& stm : stms) add(stm, steps);
  }

  void add(const Stm& stm, json& steps) {
    ir::match(
        stm.what, [&](const Launch& launch) { steps.push_back(this->launch(launch, stm)); },
        [&](const Run& run) { steps.push_back(library(run, stm)); },
        [&](const Fill& fill) { steps.push_back(this->fill(fill, stm)); },
        [&](const plan::Copy& copy) { steps.push_back(this->copy(copy, stm)); },
        [&](const Read& read) { steps.push_back(wait(read, stm)); },
        [&](const Let& let) {
          if (let.value && let.type.pointer) aliases_[let.name] = resolved(array_of(*let.value));
        },
        [&](const For& loop) { for_loop(loop, stm, steps); },
        [&](const ForLanes& loop) { steps.push_back(nest(fmt::format("{} < {}", loop.name, in_signs(loop.to)), stm)); },
        [&](const While& loop) { group("loop", "while " + in_signs(loop.condition), loop.body, steps); },
        [&](const If& branch) { conditional(branch, steps); }, [](const auto&) {});
  }

  /// Of which the device does something, or that has others around which workers share: a group. Else one nest.
  void for_loop(const For& loop, const Stm& stm, json& steps) {
    const std::string extent = fmt::format("{} < {}", loop.name, in_signs(loop.to));
    bool is_group = program_.target == Target::gpu;
    for_each_stm(loop.body, [&](const Stm& inner) {
      const auto* inside = std::get_if<For>(&inner.what);
      is_group = is_group || (inside && inside->parallel && !loop.parallel);
    });
    if (is_group) return group("loop", "for " + extent, loop.body, steps);
    json step = nest(extent, stm);
    if (loop.parallel) step["notes"].push_back("shared by workers");
    if (loop.worth && loop.parallel) step["notes"].push_back("if " + in_signs(*loop.worth));
    steps.push_back(std::move(step));
  }

  /// One step with a condition is that step, where the condition holds.
  void conditional(const If& branch, json& steps) {
    json inside = json::array(), otherwise = json::array();
    add(branch.then_body, inside);
    add(branch.else_body, otherwise);
    const std::string condition = in_signs(branch.condition);
    if (inside.empty() && otherwise.empty()) return;
    if (otherwise.empty() && inside.size() == 1 && !inside[0].contains("steps") && !inside[0].contains("when")) {
      inside[0]["when"] = condition;
      steps.push_back(inside[0]);
      return;
    }
    if (!inside.empty()) steps.push_back({{"kind", "if"}, {"title", "if " + condition}, {"steps", std::move(inside)}});
    if (!otherwise.empty()) steps.push_back({{"kind", "else"}, {"title", "else"}, {"steps", std::move(otherwise)}});
  }

  void group(const char* kind, std::string title, const Stms& body, json& steps) {
    json inside = json::array();
    add(body, inside);
    if (!inside.empty()) steps.push_back({{"kind", kind}, {"title", std::move(title)}, {"steps", std::move(inside)}});
  }

  json launch(const Launch& launch, const Stm& stm) {
    json step = this->step("kernel", launch.kernel, stm);
    const Expr* shape = runtime::shape_of(launch.block);
    const std::string grid = in_signs(shape ? runtime::with_variable(launch.grid, *shape, var("block", shape->type)) : launch.grid);
    const std::string block = shape ? in_signs(*shape) : in_signs(launch.block);
    step["extents"] = grid == "1" && block == "1" ? "one thread" : fmt::format("{} blocks of {} threads", grid, block);
    if (launch.shared_bytes) step["notes"].push_back(in_signs(*launch.shared_bytes) + " bytes of shared memory a block");
    if (!launch.why.empty()) step["notes"].push_back(launch.why);
    for (const Entry& entry : program_.entries)
      for (const Kernel& kernel : entry.kernels)
        if (kernel.name == launch.kernel) describe(step, kernel.comment, ports_of_call(kernel.params, launch.args));
    return step;
  }

  json library(const Run& run, const Stm& stm) {
    json step = this->step("library", run.library, stm);
    for (const Entry& entry : program_.entries)
      for (const Library& library : entry.libraries) {
        if (library.name != run.library) continue;
        step["extents"] = fmt::format("{} of {} elements{}", word_for(library.kind), in_signs(count_of(library, run)),
                                      library.functor.empty() ? "" : " by " + library.functor);
        describe(step, library.comment, ports_of_call(library.params, run.args));
      }
    return step;
  }
  /// Which may be a parameter, of which the entry knows more.
  static Expr count_of(const Library& library, const Run& run) {
    for (std::size_t i = 0; i < std::min(library.params.size(), run.args.size()); ++i)
      if (is_variable(library.count, library.params[i].name)) return run.args[i];
    return library.count;
  }

  json fill(const Fill& fill, const Stm& stm) {
    const std::string array = resolved(array_of(fill.pointer));
    json step = this->step("fill", array + " = 0", stm);
    step["extents"] = in_signs(fill.count) + " elements";
    step["ports"] = ports({{array, Access::written}});
    return step;
  }
  json copy(const plan::Copy& copy, const Stm& stm) {
    const std::string to = resolved(array_of(copy.to)), from = resolved(array_of(copy.from));
    json step = this->step("copy", to + " = " + from, stm);
    step["extents"] = in_signs(copy.count) + " elements";
    if (!copy.why.empty()) step["notes"].push_back(copy.why);
    step["ports"] = ports({{to, Access::written}, {from, Access::read}});
    return step;
  }
  json wait(const Read& read, const Stm& stm) {
    json step = this->step("wait", read.name, stm);
    step["extents"] = "the host waits for a number";
    step["ports"] = ports({{resolved(array_of(read.pointer)), Access::read}});
    return step;
  }

  /// Called after what it writes first; one that only computes a number, after what it goes through.
  json nest(std::string extent, const Stm& stm) {
    const std::vector<Port> touched = ports_of_nest(stm, aliases_);
    const auto written = std::find_if(touched.begin(), touched.end(), [](const Port& port) { return port.access != Access::read; });
    const std::string through = touched.empty() ? "nest" : "over " + resolved(touched[0].array);
    json step = this->step("nest", written == touched.end() ? through : written->array, stm);
    step["extents"] = std::move(extent);
    step["ports"] = ports(touched);
    add_origins(step, stm);
    return step;
  }
  void add_origins(json& step, const Stm& stm) {
    for_each_stm({stm}, [&](const Stm& inner) {
      if (inner.origin.text.empty()) return;
      const json origin = number_(inner.origin.text);
      if (std::find(step["origins"].begin(), step["origins"].end(), origin) == step["origins"].end()) step["origins"].push_back(origin);
    });
  }

  json step(const char* kind, const std::string& name, const Stm& stm) {
    json step = {{"kind", kind}, {"name", name}, {"notes", json::array()}, {"formula", json::array()}, {"origins", json::array()}};
    if (!stm.origin.text.empty()) step["origins"].push_back(number_(stm.origin.text));
    return step;
  }
  void describe(json& step, const Comment& comment, const std::vector<Port>& touched) {
    step["formula"] = comment.formula;
    step["origins"] = json::array();
    for (const MadeFor& origin : comment.origins) step["origins"].push_back(number_(origin.text));
    step["ports"] = ports(touched);
  }
  json ports(const std::vector<Port>& ports) const {
    json result = json::array();
    for (const Port& port : ports)
      if (!port.array.empty()) result.push_back({{"array", resolved(port.array)}, {"access", word_for(port.access)}});
    return result;
  }
  std::string resolved(const std::string& name) const {
    const auto alias = aliases_.find(name);
    return alias == aliases_.end() ? name : alias->second;
  }

  const Program& program_;
  const Entry& entry_;
  const Number& number_;
  std::map<std::string, std::string> aliases_;
};

std::string shape_text(const std::vector<std::string>& shape) {
  std::string text;
  for (const std::string& extent : shape) text += "[" + extent + "]";
  return text;
}

/// Those that the entry makes by itself: on its stack, or by its allocator.
void add_own_arrays(const Stms& stms, json& arrays) {
  std::map<std::string, Type> buffers;
  const auto add = [&](const std::string& name, const Type& elem, const std::string& shape, const std::string& bytes) {
    arrays.push_back({{"name", name}, {"type", element_name(elem)}, {"shape", shape}, {"bytes", bytes}, {"role", "own"}});
  };
  for_each_stm(stms, [&](const Stm& stm) {
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) add(array->name, array->elem, "[" + in_signs(array->size) + "]", bytes_of(array->size, array->elem));
    if (const auto* buffer = std::get_if<Buffer>(&stm.what)) buffers[buffer->name] = buffer->elem;
    const auto* allocate = std::get_if<Allocate>(&stm.what);
    if (!allocate || !buffers.contains(allocate->buffer)) return;
    std::vector<std::string> shape;
    for (const Expr& extent : allocate->extents) shape.push_back(in_signs(extent));
    add(allocate->buffer, buffers[allocate->buffer], shape_text(shape), bytes_of(shape, buffers[allocate->buffer]));
  });
}

/// Also what the caller passes, and the pieces of scratch memory.
json arrays_of(const Entry& entry) {
  json arrays = json::array();
  add_own_arrays(entry.body, arrays);
  for (const Param& param : entry.params) {
    if (!param.type.pointer || param.type.name == "Failure") continue;
    const bool is_input = param.access == Access::read;
    arrays.push_back({{"name", param.name},
                      {"type", element_name(param.type)},
                      {"shape", shape_text(param.shape)},
                      {"bytes", bytes_of(param.shape, param.type)},
                      {"role", is_input ? "input" : "output"}});
  }
  for (const Piece& piece : entry.scratch.pieces)
    arrays.push_back({{"name", piece.name},
                      {"type", element_name(piece.elem)},
                      {"shape", shape_text(piece.shape)},
                      {"bytes", bytes_of(piece.count, piece.elem)},
                      {"role", "scratch"}});
  return arrays;
}

}  // namespace

json plan_steps(const Program& program, const Number& number) {
  json entries = json::array();
  for (const Entry& entry : program.entries)
    entries.push_back({{"name", entry.name}, {"source", entry.source}, {"arrays", arrays_of(entry)}, {"steps", Steps(program, entry, number).run()}});
  return entries;
}

}  // namespace boustro::explain
