#include "emit/explain/arrays.hpp"

#include <algorithm>
#include <set>

#include "emit/plan/walk.hpp"

namespace boustro::explain {
namespace {

using namespace plan;

bool is_address(const Type& type) { return type.pointer; }

/// Walks over a nest, and notes what happens to each array.
class Accesses {
 public:
  explicit Accesses(std::map<std::string, std::string> aliases) : aliases_(std::move(aliases)) {}

  void run(const Stm& stm) {
    for_each_stm({stm}, [&](const Stm& inner) { statement(inner); });
  }
  std::vector<Port> ports() const { return ports_; }

 private:
  void statement(const Stm& stm) {
    ir::match(
        stm.what, [&](const Let& let) { this->let(let); }, [&](const Assign& assign) { this->assign(assign); },
        [&](const LocalArray& array) { own_.insert(array.name); },
        [&](const Atomic& atomic) { touch(atomic.target, Access::added_to), reads(atomic.value); },
        [&](const Fill& fill) { note(fill.pointer, Access::written); },
        [&](const plan::Copy& copy) { note(copy.to, Access::written), note(copy.from, Access::read); },
        [&](const auto&) { for_each_expr(stm, [&](const Expr& expr) { reads(expr); }); });
  }

  /// A pointer into an array is another name of it.
  void let(const Let& let) {
    if (!let.value) return;
    if (is_address(let.type)) aliases_[let.name] = resolved(array_of(*let.value));
    else reads(*let.value);
  }
  void assign(const Assign& assign) {
    touch(assign.target, assign.op ? Access::added_to : Access::written);
    reads(assign.value);
  }
  void touch(const Expr& target, Access access) {
    if (!std::holds_alternative<Element>(target.head)) return;
    note(target.args[0], access);
    for (std::size_t i = 1; i < target.args.size(); ++i) reads(target.args[i]);
  }
  void reads(const Expr& expr) {
    if (std::holds_alternative<Element>(expr.head)) note(expr.args[0], Access::read);
    for (const Expr& arg : expr.args) reads(arg);
  }

  void note(const Expr& pointer, Access access) {
    const std::string array = resolved(array_of(pointer));
    if (array.empty() || own_.contains(array)) return;
    const auto found = std::find_if(ports_.begin(), ports_.end(), [&](const Port& port) { return port.array == array; });
    if (found == ports_.end()) ports_.push_back({array, access});
    else if (found->access != access) found->access = both(found->access, access);
  }
  static Access both(Access a, Access b) {
    const bool adds = a == Access::added_to || b == Access::added_to, reads = a == Access::read || b == Access::read;
    return adds && !reads && a != Access::updated && b != Access::updated ? Access::added_to : Access::updated;
  }
  std::string resolved(const std::string& name) const {
    const auto alias = aliases_.find(name);
    return alias == aliases_.end() ? name : alias->second;
  }

  std::map<std::string, std::string> aliases_;
  std::set<std::string> own_;
  std::vector<Port> ports_;
};

}  // namespace

std::string array_of(const Expr& pointer) {
  if (const auto* variable = std::get_if<Var>(&pointer.head)) return is_address(pointer.type) || pointer.type.name.empty() ? variable->name : "";
  if (const auto* field = std::get_if<Field>(&pointer.head)) return field->name;
  for (const Expr& arg : pointer.args) {
    if (!is_address(arg.type)) continue;
    if (std::string name = array_of(arg); !name.empty()) return name;
  }
  return "";
}

std::vector<Port> ports_of_call(const std::vector<Param>& params, const std::vector<Expr>& args) {
  std::vector<Port> ports;
  for (std::size_t i = 0; i < std::min(params.size(), args.size()); ++i) {
    if (!params[i].type.pointer || params[i].type.name == "Failure") continue;
    const std::string array = array_of(args[i]);
    const bool is_new = std::none_of(ports.begin(), ports.end(), [&](const Port& port) { return port.array == array; });
    if (!array.empty() && is_new) ports.push_back({array, params[i].access});
  }
  return ports;
}

std::vector<Port> ports_of_nest(const Stm& nest, std::map<std::string, std::string> aliases) {
  Accesses accesses(std::move(aliases));
  accesses.run(nest);
  return accesses.ports();
}

}  // namespace boustro::explain
