#include "emit/plan/polish/shared.hpp"

#include <algorithm>
#include <map>

#include "emit/plan/polish/common_names.hpp"
#include "emit/plan/polish/declared.hpp"
#include "emit/plan/polish/renamed.hpp"
#include "emit/plan/walk.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::plan {
namespace {

// ---- Definitions without what is only for the reader

/// Gives parameters and variables numbers in their order.
class Anonymous {
 public:
  void in(std::vector<Param>& params) {
    for (Param& param : params) {
      param = {.name = next(param.name), .type = param.type, .access = param.access};
    }
  }
  void in(Expr& expr) const {
    if (auto* variable = std::get_if<Var>(&expr.head)) rename(names_, variable->name);
    for (Expr& arg : expr.args) in(arg);
  }
  void in(Stms& stms) {
    for (Stm& stm : stms) {
      stm.above.clear(), stm.beside.clear();
      stm.gap = false;
      if (auto* barrier = std::get_if<Barrier>(&stm.what)) barrier->why.clear();
      for_each_expr(stm, [&](Expr& expr) { in(expr); });
      for (std::string* name : named(stm)) rename(names_, *name);
      for (std::string* name : declared(stm)) *name = next(*name);
      if (auto* closure = std::get_if<Closure>(&stm.what)) in(closure->params);
      for_each_body(stm, [&](Stms& inside) { in(inside); });
    }
  }

 private:
  std::string next(const std::string& name) { return names_[name] = "$" + std::to_string(count_++); }

  Renamed names_;
  int count_ = 0;
};

Struct anonymous(Struct x) {
  x.name.clear(), x.comment = {};
  // Whoever uses it knows its fields by their names.
  for (Param& field : x.fields) field = {.name = field.name, .type = field.type};
  return x;
}
Function anonymous(Function x) {
  x.name.clear(), x.comment = {};
  Anonymous names;
  names.in(x.params), names.in(x.body);
  return x;
}
Functor anonymous(Functor x) {
  x.name.clear(), x.comment = {};
  Anonymous names;
  names.in(x.fields), names.in(x.params), names.in(x.body);
  return x;
}
Kernel anonymous(Kernel x) {
  x.name.clear(), x.comment = {}, x.indices.clear();
  Anonymous names;
  names.in(x.params), names.in(x.body);
  return x;
}
Library anonymous(Library x) {
  x.name.clear(), x.comment = {};
  Anonymous names;
  names.in(x.params);
  for (Operand* operand : {&x.input, &x.output}) names.in(operand->value);
  if (x.init) names.in(*x.init);
  names.in(x.count);
  for (Expr& bit : x.bits) names.in(bit);
  return x;
}

// ---- Definitions that mean the same

/// A reader who comes from another entry finds what it is about.
bool mean_the_same(const Comment& x, const Comment& y) {
  return place_of(x) == place_of(y) && (x.sweep == ir::Sweep::reverse) == (y.sweep == ir::Sweep::reverse);
}
bool have_same_names(const std::vector<Param>& xs, const std::vector<Param>& ys) {
  return std::equal(xs.begin(), xs.end(), ys.begin(), ys.end(), [](const Param& x, const Param& y) { return x.name == y.name; });
}
bool mean_the_same(const Struct&, const Struct&) { return true; }
bool mean_the_same(const Function& x, const Function& y) { return have_same_names(x.params, y.params); }
bool mean_the_same(const Functor& x, const Functor& y) { return x.associative || have_same_names(x.fields, y.fields); }
bool mean_the_same(const Kernel& x, const Kernel& y) { return mean_the_same(x.comment, y.comment); }
bool mean_the_same(const Library& x, const Library& y) { return mean_the_same(x.comment, y.comment); }

// ---- The first of several

/// Definitions of one kind that stay.
template <typename Kind>
class First {
 public:
  struct Known {
    Kind anonymous, named;
    std::string entry;
  };

  /// The name of an earlier one that is equal; else this one is known from now on.
  const Known* find_or_add(const Kind& x, const std::string& entry) {
    Kind bare = anonymous(x);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.anonymous == bare && mean_the_same(known.named, x); });
    if (found != known_.end()) return &*found;
    known_.push_back({std::move(bare), x, entry});
    return nullptr;
  }

 private:
  std::vector<Known> known_;
};

class Share {
 public:
  explicit Share(Program& plan) : plan_(plan) {}

  void run() {
    for (Definition& definition : plan_.definitions) known(definition, "");
    for (Entry& entry : plan_.entries) share(entry);
    for (Entry& entry : plan_.entries) {
      for (Kernel& kernel : entry.kernels)
        if (const auto others = of_one_entry_.find(kernel.name); others != of_one_entry_.end()) use_common_names(kernel, others->second);
      for (Kernel& kernel : entry.kernels) say_callers(kernel.name, kernel.comment);
      for (Library& library : entry.libraries) say_callers(library.name, library.comment);
    }
  }

 private:
  void share(Entry& entry) {
    Renamed others;
    const UseOthers use(others);
    std::erase_if(entry.definitions, [&](Definition& definition) {
      return ir::match(
          definition, [](Table&) { return false; }, [&](auto& x) { return is_known(first_of(x), x, entry, others, use); });
    });
    std::erase_if(entry.libraries, [&](Library& x) { return is_known(libraries_, x, entry, others, use); });
    std::erase_if(entry.kernels, [&](Kernel& x) { return is_known(kernels_, x, entry, others, use); });
    use.in(entry.scratch);
    use.in(entry.prologue), use.in(entry.body);
  }

  void known(Definition& definition, const std::string& entry) {
    ir::match(definition, [](Table&) {}, [&](auto& x) { first_of(x).find_or_add(x, entry); });
  }

  template <typename Kind>
  bool is_known(First<Kind>& first, Kind& x, const Entry& entry, Renamed& others, const UseOthers& use) {
    use.in(x);
    const auto* known = first.find_or_add(x, entry.name);
    if (!known) return false;
    others.emplace(x.name, known->named.name);
    if (known->entry != entry.name) callers_[known->named.name].push_back(entry.name);
    else if constexpr (std::is_same_v<Kind, Kernel>) of_one_entry_[known->named.name].push_back(names_of(x.params));
    return true;
  }

  static std::vector<std::string> names_of(const std::vector<Param>& params) {
    std::vector<std::string> names;
    for (const Param& param : params) names.push_back(param.name);
    return names;
  }

  void say_callers(const std::string& name, Comment& comment) const {
    const auto found = callers_.find(name);
    if (found == callers_.end()) return;
    std::vector<std::string> entries = found->second;
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    std::string text = "Also called by ";
    for (std::size_t i = 0; i < entries.size(); ++i) text += (i == 0 ? "" : i + 1 == entries.size() ? " and " : ", ") + entries[i];
    comment.notes.push_back(text + ".");
  }

  First<Struct>& first_of(const Struct&) { return structs_; }
  First<Function>& first_of(const Function&) { return functions_; }
  First<Functor>& first_of(const Functor&) { return functors_; }

  Program& plan_;
  First<Struct> structs_;
  First<Function> functions_;
  First<Functor> functors_;
  First<Library> libraries_;
  First<Kernel> kernels_;
  std::map<std::string, std::vector<std::vector<std::string>>> of_one_entry_;  // what equal kernels of the same entry call their parameters
  std::map<std::string, std::vector<std::string>> callers_;  // other entries
};

}  // namespace

std::string place_of(const Comment& comment) { return comment.source.substr(0, comment.source.find(',')); }

void share_equal(Program& plan) { Share(plan).run(); }

}  // namespace boustro::plan
