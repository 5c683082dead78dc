#include "emit/plan/formula/symbolic.hpp"

#include <algorithm>

#include "emit/plan/build.hpp"
#include "emit/plan/formula/folds.hpp"
#include "emit/plan/formula/indices.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::formula {
namespace {

/// In a variable that a branch changes: nodes. Formulas for readers are far smaller.
constexpr int largest_choice = 100;

const Expr unknown = call("%unknown", type(PrimType::i64), {});

int node_count(const Expr& expr) {
  int count = 1;
  for (const Expr& arg : expr.args) count += node_count(arg);
  return count;
}

bool has_position(const Expr& expr) {
  return std::holds_alternative<Position>(expr.head) ||
         std::any_of(expr.args.begin(), expr.args.end(), has_position);
}

const std::string* variable(const Expr& expr) {
  const Var* var = std::get_if<Var>(&expr.head);
  return var ? &var->name : nullptr;
}

/// Variables that statements change, without those that are declared among them.
std::set<std::string> changed_in(const Stms& stms) {
  std::set<std::string> changed, own;
  for_each_stm(stms, [&](const Stm& stm) {
    if (const Let* let = std::get_if<Let>(&stm.what)) own.insert(let->name);
    const Assign* assign = std::get_if<Assign>(&stm.what);
    const std::string* name = assign ? variable(assign->target) : nullptr;
    if (name) changed.insert(*name);
  });
  std::erase_if(changed, [&](const std::string& name) { return own.contains(name); });
  return changed;
}

/// `!x`, as a relation if x is one; of floats, what is not less may be a NaN.
Expr negation(const Expr& x) {
  const Op* op = std::get_if<Op>(&x.head);
  if (!op) return !x;
  if (*op == Op::logical_not) return x.args[0];
  if (*op == Op::eq) return not_equal(x.args[0], x.args[1]);
  if (*op == Op::ne) return equal(x.args[0], x.args[1]);
  if (!is_integer(x.args[0].type)) return !x;
  if (*op == Op::lt) return x.args[0] >= x.args[1];
  if (*op == Op::le) return x.args[0] > x.args[1];
  if (*op == Op::gt) return x.args[0] <= x.args[1];
  if (*op == Op::ge) return x.args[0] < x.args[1];
  return !x;
}

bool compares(const Expr& x, Op op) { return x.head == Head(op) && is_integer(x.args[0].type); }

/// What both say of two integers: x >= y and x == y is x == y, x >= y and x != y is x > y.
std::optional<Expr> both_of_two(const Expr& known, const Expr& more) {
  const bool equals = compares(more, Op::eq);
  if (!equals && !compares(more, Op::ne)) return std::nullopt;
  const bool least = compares(known, Op::ge);
  if (!least && !compares(known, Op::le)) return std::nullopt;
  const Expr &x = known.args[0], &y = known.args[1];
  const bool same = (x == more.args[0] && y == more.args[1]) || (x == more.args[1] && y == more.args[0]);
  if (!same) return std::nullopt;
  return equals ? more : least ? x > y : x < y;
}

Expr conjunction(const Expr& known, const Expr& more) {
  if (auto both = both_of_two(known, more)) return *both;
  if (known.head == Head(Op::logical_and))
    if (auto both = both_of_two(known.args[1], more)) return known.args[0] && *both;
  return known && more;
}

class Machine {
 public:
  Machine(const Stms& body, const std::vector<Param>& arrays, const std::vector<std::string>& indices)
      : arrays_(arrays), indices_(indices.begin(), indices.end()), number_(indices.empty() ? "" : indices.back()) {
    for_each_stm(body, [&](const Stm& stm) {
      if (const auto* assign = std::get_if<Assign>(&stm.what)) count_store(assign->target);
      if (const auto* atomic = std::get_if<Atomic>(&stm.what)) count_store(atomic->target);
    });
    count_through_pointers(body);
    run(body);
  }

  Behaviour take() { return std::move(result_); }

 private:
  // ---- Statements ------------------------------------------------------------------------------

  void run(const Stms& stms) {
    const auto outer = condition_;
    for (const Stm& stm : stms) this->stm(stm);
    condition_ = outer;
  }

  void stm(const Stm& stm) {
    ir::match(
        stm.what, [&](const Let& x) { let(x); }, [&](const Assign& x) { assign(x); },
        [&](const For& x) { loop(x); }, [&](const If& x) { branch(x); },
        [&](const While& x) { forget(x.body); },
        [&](const Atomic& x) { atomic(x); },
        [&](const Return& x) {
          // One that is not the last statement leaves out what follows.
          if (condition_ || !loops_.empty() || !x.value) result_.incomplete = true;
          if (x.value) result_.returned = value(*x.value);
        },
        [&](const LocalArray& x) { array(x); }, [](const Fail&) {},  // results are undefined then
        [&](const Barrier&) { result_.incomplete = result_.incomplete || indices_.empty(); },
        [&](const auto&) { result_.incomplete = true; });
  }

  void let(const Let& let) {
    if (!let.value || let.type == runtime::peers_type()) {
      env_[let.name] = unknown;
    } else if (has_position(*let.value) || indices_.contains(let.name)) {
      env_[let.name] = var(let.name, let.type);  // which of the threads this is
    } else {
      bind(let.name, value(*let.value));
    }
  }

  void array(const LocalArray& array) {
    const Expr name = var(array.name, pointer_to(array.elem));
    for (std::size_t i = 0; i < array.values.size(); ++i)
      store(name[lit(static_cast<std::int64_t>(i), PrimType::i32)], {}, value(array.values[i]));
  }

  void bind(const std::string& name, Expr value) {
    if (value.args.empty() || value.type.pointer) {
      if (const auto number = reference(value); number && own_.erase(*number) > 0) result_.definitions[*number].name = name;
      env_[name] = std::move(value);
      return;
    }
    const plan::Type type = value.type;
    const bool unsaid = is_unknown(value, result_.definitions);
    result_.definitions.push_back({name, std::move(value), unsaid});
    call_joint(result_.definitions.size() - 1);
    env_[name] = var("$" + std::to_string(result_.definitions.size() - 1), type);
  }

  /// What threads do together is as if one did it: the total of all is what that thread's `own_total` is, and has its name if it has one.
  void call_joint(std::size_t number) {
    constexpr std::string_view own = "own_";
    std::string& name = result_.definitions[number].name;
    const bool begins = name.starts_with(own);
    if (indices_.empty() || (!begins && name.find("_own_") == std::string::npos)) return;
    if (begins) name.erase(0, own.size());
    own_.insert(number);
  }

  void assign(const Assign& assign) {
    const Expr operand = value(assign.value);
    if (const std::string* name = variable(assign.target)) {
      return bind(*name, assign.op ? op(*assign.op, value(assign.target), operand) : operand);
    }
    store(assign.target, assign.op, operand);
  }

  void atomic(const Atomic& atomic) {
    if (atomic.kind == AtomicKind::add) {
      store(atomic.target, Op::add, value(atomic.value));
    } else if (atomic.kind == AtomicKind::exchange) {
      store(atomic.target, {}, value(atomic.value));
    } else if (const auto cell = cell_of(atomic.target)) {
      store(atomic.target, {}, combined(atomic, *cell));
    } else {
      result_.incomplete = true;
    }
  }

  /// min(cell, x)
  Expr combined(const Atomic& atomic, const Expr& cell) {
    const std::vector<Expr> args{cell, value(atomic.value)};
    if (atomic.kind == AtomicKind::combine) return call(atomic.functor, cell.type, args);
    const auto kind = atomic.kind == AtomicKind::min ? ir::BinOpKind::min : ir::BinOpKind::max;
    return {Intrinsic{kind, cell.type.prim}, args, cell.type};
  }

  void branch(const If& branch) {
    if (leaves_after_check(branch)) return;  // results are undefined then
    if (!indices_.empty() && tells_threads_apart(branch.condition)) return run(branch.then_body);  // the others store nothing
    if (branch.else_body.empty() && branch.then_body.size() == 1) {
      const bool ends = std::holds_alternative<Return>(branch.then_body[0].what);
      if (ends && !std::get<Return>(branch.then_body[0].what).value) return;  // beyond the grid
    }
    const Expr condition = value(branch.condition);
    const auto outer = condition_;
    const auto before = env_;
    require(condition);
    run(branch.then_body);
    const auto then_env = std::exchange(env_, before);
    condition_ = outer;
    require(negation(condition));
    run(branch.else_body);
    condition_ = outer;
    for (const auto& [name, old] : before) {
      const Expr& yes = then_env.at(name);
      const Expr no = env_.at(name);
      if (yes == no) continue;
      choose(name, yes == unknown || no == unknown ? unknown : select(condition, yes, no));
    }
  }

  /// By their places in the block, or by whether there is a result for them.
  bool tells_threads_apart(const Expr& condition) const {
    const std::string* name = variable(condition);
    return has_position(condition) || (name && *name == number_) ||
           std::any_of(condition.args.begin(), condition.args.end(), [&](const Expr& arg) { return tells_threads_apart(arg); });
  }

  /// Not by `bind`: a loop recognises its reductions by their form. Choices between choices get a name
  /// in the end, or they would double with every branch.
  void choose(const std::string& name, Expr value) {
    if (node_count(value) > largest_choice)
      bind(name, std::move(value));
    else
      env_[name] = std::move(value);
  }

  void require(const Expr& condition) {
    condition_ = condition_ ? conjunction(*condition_, condition) : condition;
  }

  void forget(const Stms& body) {
    for (const std::string& name : changed_in(body)) env_[name] = unknown;
    for_each_stm(body, [&](const Stm& stm) {
      const auto* assign = std::get_if<Assign>(&stm.what);
      if (assign && !variable(assign->target)) result_.incomplete = true;
    });
  }

  void loop(const For& loop) {
    const std::set<std::string> carried = changed_in(loop.body);
    std::map<std::string, Expr> start;
    for (const std::string& name : carried) {
      start[name] = env_.contains(name) ? env_[name] : unknown;
      env_[name] = var("@" + name, start[name].type);
    }
    const std::optional<Expr> bound = bound_of(loop);
    env_[loop.name] = var(loop.name, loop.type);
    loops_.push_back(loop.name);
    run(loop.body);
    loops_.pop_back();
    const std::map<std::string, Expr> end = env_;
    for (const std::string& name : carried) {
      const std::optional<Expr> folded =
          bound ? fold({name, var(loop.name, loop.type), *bound, start, end, result_.definitions})
                : std::nullopt;
      bind_fold(name, folded ? *folded : unknown);
    }
  }

  void bind_fold(const std::string& name, const Expr& value) {
    if (value == unknown) {
      env_[name] = unknown;
    } else {
      bind(name, value);
    }
  }

  /// The index runs over [0, bound), in whichever order, or over a slab.
  std::optional<Expr> bound_of(const For& loop) {
    if (const auto slab = slab_of(loop)) return call("%in", slab->type, {*slab});
    if (!indices_.empty() && loop.step && has_position(*loop.step)) return value(loop.to);  // the threads do it together
    if (loop.step && int_value(*loop.step) != 1) return std::nullopt;
    const Expr from = value(loop.from), to = value(loop.to);
    if (!loop.down) return int_value(from) == 0 ? std::optional(to) : std::nullopt;
    if (int_value(to) != 0) return std::nullopt;
    const Op* op = std::get_if<Op>(&from.head);
    const auto before = op && *op == Op::sub ? int_value(from.args[1]) : std::nullopt;
    if (!before || *before < 1) return from + 1;
    return *before == 1 ? from.args[0] : from.args[0] - (*before - 1);
  }

  /// The slab whose elements these are: from slab * size up to slab * size + size, or the end of the array.
  std::optional<Expr> slab_of(const For& loop) {
    if (loop.down) return std::nullopt;
    const bool together = loop.step && has_position(*loop.step);
    const Expr from = loop.from, first = value(together && from.head == Head(Op::add) ? from.args[0] : from);
    const Expr start = resolved(first, result_.definitions), end = resolved(value(loop.to), result_.definitions);
    const bool steps = together || !loop.step || int_value(*loop.step) == 1;
    if (!steps || start.head != Head(Op::mul) || extremum_of(end) != ir::BinOpKind::min) return std::nullopt;
    const Expr& last = end.args[0];
    const bool is_slab = last.head == Head(Op::add) && last.args[0] == first && last.args[1] == start.args[1] && variable(start.args[0]);
    return is_slab ? std::optional(start.args[0]) : std::nullopt;
  }

  // ---- Memory ----------------------------------------------------------------------------------

  void count_store(const Expr& target) {
    if (variable(target)) return;
    const Expr* base = &target;
    while (!base->args.empty()) base = &base->args[0];
    if (const std::string* name = variable(*base)) ++stored_[*name];
  }

  /// Stores through pointers into arrays count for the arrays.
  void count_through_pointers(const Stms& body) {
    for_each_stm(body, [&](const Stm& stm) {
      const Let* let = std::get_if<Let>(&stm.what);
      if (!let || !let->type.pointer || !let->value || !stored_.contains(let->name)) return;
      const Expr* base = &*let->value;
      while (!base->args.empty()) base = &base->args[0];
      if (const std::string* name = variable(*base)) stored_[*name] += stored_[let->name];
    });
  }

  /// pointer[index] with the array at the root and one index for each dimension.
  Expr element(Expr pointer, Expr index) {
    const Op* op = std::get_if<Op>(&pointer.head);
    while (op && *op == Op::add) {
      index = pointer.args[1] + index;
      pointer = Expr(pointer.args[0]);
      op = std::get_if<Op>(&pointer.head);
    }
    const std::string* name = variable(pointer);
    if (!name) return unknown;
    Expr result{Element{}, {pointer}, pointer.type};
    result.type.pointer = false;
    result.type.read_only = false;
    const Param* array = nullptr;
    for (const Param& param : arrays_) {
      if (param.name == *name) array = &param;
    }
    const std::vector<std::string> shape = array ? array->shape : std::vector<std::string>{};
    if (array && shape.empty() && int_value(index) == 0) return result;
    const auto indices = shape.empty() ? std::nullopt : indices_of(index, shape);
    if (indices) {
      result.args.insert(result.args.end(), indices->begin(), indices->end());
      if (shape.back() == "threads") result.args.pop_back();
    } else {
      result.args.push_back(index);
    }
    return result;
  }

  void store(const Expr& target, const std::optional<Op>& op, const Expr& value) {
    const auto cell = cell_of(target);
    if (cell) {
      result_.stores.push_back({*cell, op, value, condition_, loops_});
    } else {
      result_.incomplete = true;
    }
  }

  /// What is stored to, if it is known.
  std::optional<Expr> cell_of(const Expr& target) {
    const bool dereferences = std::holds_alternative<Op>(target.head);
    if (!dereferences && !std::holds_alternative<Element>(target.head)) return std::nullopt;
    const Expr index = dereferences ? lit(0) : this->value(target.args[1]);
    const Expr cell = element(this->value(target.args[0]), index);
    return cell == unknown ? std::nullopt : std::optional(cell);
  }

  /// What is read from an array that the code itself stores to.
  Expr read_again(const Expr& element) {
    const std::string name = *variable(element.args[0]);
    const Store* only = nullptr;
    for (const Store& store : result_.stores) {
      if (store.target.args[0] == element.args[0]) only = &store;
    }
    // One statement has stored all elements, for the same values of the indices around both.
    if (stored_.at(name) != 1 || !only || only->op || only->condition) return unknown;
    for (const std::string& index : only->indices) {
      if (std::find(loops_.begin(), loops_.end(), index) != loops_.end()) continue;
      const bool free = std::any_of(only->target.args.begin() + 1, only->target.args.end(),
                                    [&](const Expr& at) { return at == var(index, at.type); });
      if (!free) return unknown;
    }
    result_.read_again.insert(name);
    return element;
  }

  // ---- Expressions -----------------------------------------------------------------------------

  Expr value(const Expr& expr) {
    if (const std::string* name = variable(expr)) {
      const auto found = env_.find(*name);
      return found == env_.end() ? expr : found->second;
    }
    if (std::holds_alternative<Element>(expr.head)) {
      const Expr cell = element(value(expr.args[0]), value(expr.args[1]));
      if (cell == unknown) return unknown;
      return stored_.contains(*variable(cell.args[0])) ? read_again(cell) : cell;
    }
    const Call* call = std::get_if<Call>(&expr.head);
    if (call && runtime::is_combination(call->function)) return value(expr.args[0]);
    const Op* op = std::get_if<Op>(&expr.head);
    if (op && *op == Op::dereference) return element(value(expr.args[0]), lit(0));
    Expr result = expr;
    for (Expr& arg : result.args) arg = value(arg);
    if (const auto* field = std::get_if<Field>(&expr.head); field && field->position) {
      const Expr& whole = resolved(result.args[0], result_.definitions);
      if (std::holds_alternative<Construct>(whole.head)) return whole.args.at(*field->position);
    }
    return result;
  }

  /// if (!check_index(...)) return;   if (size < 0) {record_failure(...); return;}
  static bool leaves_after_check(const If& branch) {
    if (!branch.else_body.empty() || branch.then_body.empty()) return false;
    if (std::holds_alternative<Fail>(branch.then_body[0].what)) return true;
    const Expr& condition = branch.condition;
    const bool negated = condition.head == Head(Op::logical_not);
    const Call* call = std::get_if<Call>(&(negated ? condition.args[0] : condition).head);
    return call && (runtime::is_check(call->function) || call->function == "has_failed");
  }

  const std::vector<Param>& arrays_;
  std::set<std::string> indices_;  // of sums that threads compute jointly
  std::string number_;             // the last of them, which some threads have for no result
  Behaviour result_;
  std::set<std::size_t> own_;      // definitions that are called so since nothing else is known
  std::map<std::string, Expr> env_;
  std::map<std::string, int> stored_;  // how many statements store to an array
  std::vector<std::string> loops_;
  std::optional<Expr> condition_;
};

}  // namespace

Behaviour behaviour_of(const Stms& body, const std::vector<Param>& arrays, const std::vector<std::string>& indices) {
  return Machine(body, arrays, indices).take();
}

std::optional<std::size_t> reference(const Expr& expr) {
  const std::string* name = variable(expr);
  if (!name || name->empty() || name->front() != '$') return std::nullopt;
  return std::stoul(name->substr(1));
}

bool is_unknown(const Expr& expr, const std::vector<Named>& definitions) {
  if (const auto number = reference(expr)) return definitions.at(*number).unknown;
  if (const std::string* name = variable(expr)) return name->front() == '@';
  if (expr == unknown) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const Expr& arg) { return is_unknown(arg, definitions); });
}

namespace {

void add_variables(const Expr& expr, const std::vector<Named>& definitions,
                   std::set<std::string>& names) {
  if (const std::string* name = variable(expr)) {
    if (!names.insert(*name).second) return;  // known, and what it stands for
  }
  if (const auto number = reference(expr)) {
    add_variables(definitions.at(*number).value, definitions, names);
  }
  for (const Expr& arg : expr.args) add_variables(arg, definitions, names);
}

}  // namespace

std::set<std::string> variables_in(const Expr& expr, const std::vector<Named>& definitions) {
  std::set<std::string> names;
  add_variables(expr, definitions, names);
  return names;
}

const Expr& resolved(const Expr& expr, const std::vector<Named>& definitions) {
  const auto number = reference(expr);
  return number ? resolved(definitions.at(*number).value, definitions) : expr;
}

}  // namespace boustro::plan::formula
