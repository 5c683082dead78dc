// The functors of library calls: elements as functions of their index, operators, and what stores
// the results.
#include <algorithm>

#include "emit/plan/planner/library.hpp"
#include "emit/plan/walk.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

std::string operator_name(const ir::Lambda& op, const std::string& base) {
  switch (const auto kind = ir::as_binop(op); kind ? *kind : ir::BinOpKind::sub) {
    case ir::BinOpKind::add:
      return "Add";
    case ir::BinOpKind::mul:
      return "Multiply";
    case ir::BinOpKind::min:
      return "Minimum";
    case ir::BinOpKind::max:
      return "Maximum";
    case ir::BinOpKind::bit_and:
      return "And";
    case ir::BinOpKind::bit_or:
      return "Or";
    case ir::BinOpKind::bit_xor:
      return "Xor";
    default:
      return "Combine" + type_name(base);
  }
}

std::string name_of(const Expr& variable) { return std::get<Var>(variable.head).name; }

std::optional<Expr> returned(const Functor& functor) {
  const auto* result = std::get_if<Return>(&functor.body.back().what);
  return result ? result->value : std::nullopt;
}

}  // namespace

struct LibraryPlanner::Inside {
  explicit Inside(const LibraryPlanner& planner)
      : names(planner.context_.file_names),
        capture(planner.context_, names),
        code(planner.context_, names, surroundings(planner)) {
    capture.keep_wide(planner.extent_.expr);
  }
  Inside(const Inside&) = delete;

  Surroundings surroundings(const LibraryPlanner& planner) {
    Surroundings around;
    around.import = [this, &planner](const ir::Name& name) {
      return capture.import(planner.host_.code_.value_of(name), name.base);
    };
    around.allocate = [this](const std::string& base, PrimType elem,
                             const std::vector<Scalar>& extents) {
      return register_array(code, names, base, elem, extents);
    };
    around.failure = [this] {
      const Type failure = pointer_to(struct_type("Failure"));
      return capture.add("failure_record", failure, Access::updated, var("failure", failure));
    };
    return around;
  }

  /// What the code has become; fields that it does not mention are dropped.
  Stms finish() {
    Stms body = code.take();
    capture.keep(names_in(body));
    return body;
  }

  Identifiers names;
  Capture capture;
  Code code;
};

/// The functor with its fields taken from parameters of the library function.
Expr LibraryPlanner::constructed(const std::string& name, const Capture& capture) {
  std::vector<Expr> args;
  const std::vector<Param> fields = capture.fields();
  const std::vector<Expr> hosts = capture.args();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    args.push_back(
        params_.add(fields[i].name, fields[i].type, fields[i].access, hosts[i], fields[i].shape));
  }
  return construct(name, args);
}

/// n - 1 - index, under a name.
Expr LibraryPlanner::mirrored(Inside& inside, const std::string& base, const Expr& index) {
  const Expr n = inside.capture.import(extent_.expr, "n");
  return inside.code.named(base, minus(minus(n, lit(1)), index));
}

// ---- Inputs

Operand LibraryPlanner::input() {
  if (types_.size() == 1 && arrays_.size() == 1 && ir::is_identity(fn_)) {
    const View array = host_.code_.view(arrays_[0]);
    if (array.memory() && is_one(array.memory()->strides[0])) {
      const View inside = std::get<View>(params_.import(Value(array), arrays_[0].base));
      return {inside.memory()->base, {}, value_};
    }
  }
  Inside inside(*this);
  Code& code = inside.code;
  // Arrays that are read backwards, by the index of the element in memory.
  std::vector<View> views;
  std::vector<bool> backwards;
  for (const ir::Name& name : arrays_) {
    const auto source = host_.reversals_.find(name);
    backwards.push_back(source != host_.reversals_.end());
    views.push_back(code.view(backwards.back() ? source->second : name));
  }
  const auto count = std::count(backwards.begin(), backwards.end(), true);
  const bool all = count == static_cast<std::ptrdiff_t>(backwards.size()) && count > 0;
  const std::string base = code.index_base(fn_.params, 0, views);
  const Expr index = var(inside.names.fresh(all ? "from_end" : base));
  const Expr other = count == 0 ? index : mirrored(inside, all ? base : "from_end", index);
  for (std::size_t i = 0; i < views.size(); ++i) {
    code.bind_counted(
        fn_.params, i, {views[i]},
        Scalar{backwards[i] ? other : index, std::nullopt, Range{0, size_range.high - 1}});
  }
  code.body(fn_.body);
  std::vector<Expr> components;
  for (const ir::Atom& atom : fn_.body.result) components.push_back(code.value(atom));
  code.emit(Return{pack(components)});
  Stms body = inside.finish();
  Functor element{.name = context_.file_name(type_name(base_) + "At"),
                  .fields = inside.capture.fields(),
                  .result = value_,
                  .params = {{.name = name_of(index), .type = type(PrimType::i64)}},
                  .body = std::move(body)};
  element.comment.formula = {std::string("Input of the ") +
                             (library_.kind == LibraryKind::reduce ? "reduction" : "scan") +
                             (all ? ": one element, counted from the end." : ": one element.")};
  const Operand operand{constructed(element.name, inside.capture), {}, value_};
  made_.push_back(std::move(element));
  return operand;
}

// ---- Outputs

Operand LibraryPlanner::output() {
  if (!consumer_ && types_.size() == 1 && is_one(outputs_[0]->memory()->strides[0])) {
    const View inside = params_.written(*outputs_[0], base_);
    return {inside.memory()->base, {}, value_};
  }
  Inside inside(*this);
  const std::string base = consumer_ ? identifier(storing_.pattern[0].name.base) : base_;
  const bool reversed = consumer_ && consumer_->reversed;
  const Expr index = var(inside.names.fresh(reversed ? "from_end" : "i"));
  const Expr value = var(inside.names.fresh(consumer_ ? base_ : "value"), passed());
  if (consumer_) {
    store_mapped(inside, index, value);
  } else {
    store(inside, index, value);
  }
  Stms body = inside.finish();
  Functor functor{.name = context_.file_name("Store" + type_name(base)),
                  .fields = inside.capture.fields(),
                  .params = {{.name = name_of(index), .type = type(PrimType::i64)},
                             {.name = name_of(value), .type = passed()}},
                  .body = std::move(body)};
  functor.comment.formula = {consumer_
                                 ? "Output of the scan: takes " + name_of(value) +
                                       ", and stores what is computed from it."
                                 : "Output of the scan: stores the values of all components."};
  const Operand operand{constructed(functor.name, inside.capture),
                        context_.file_name(type_name(base) + "Iterator"), value_};
  made_.push_back(std::move(functor));
  return operand;
}

void LibraryPlanner::store(Inside& inside, const Expr& index, const Expr& value) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i]) continue;
    const View place = inside.capture.written(*outputs_[i], stm_.pattern[i].name.base);
    inside.code.store(inside.code.row(place, index), component(value, i));
  }
}

/// The consumer's body for one element: the scan's results are the value's components.
void LibraryPlanner::store_mapped(Inside& inside, const Expr& index, const Expr& value) {
  Code& code = inside.code;
  const auto& map = std::get<ir::Map>(consumer_->map->exp);
  std::vector<std::optional<View>> places;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    places.push_back(outputs_[i] ? std::optional(inside.capture.written(
                                       *outputs_[i], storing_.pattern[i].name.base))
                                 : std::nullopt);
  }
  const Expr at = consumer_->reversed ? mirrored(inside, "i", index) : index;
  for (std::size_t i = 0; i < map.arrays.size(); ++i) {
    if (const auto k = consumer_->component[i]) {
      code.bind(map.fn.params[i].name, Scalar{component(value, *k)});
    } else {
      code.bind_counted(map.fn.params, i, {code.view(map.arrays[i])},
                        Scalar{at, std::nullopt, Range{0, size_range.high - 1}});
    }
  }
  code.body(map.fn.body);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i]) code.store(code.row(*places[i], at), code.final_value(map.fn.body.result[i]));
  }
}

// ---- Operators

std::string LibraryPlanner::functor() {
  Inside inside(*this);
  Code& code = inside.code;
  const Expr x = var(inside.names.fresh("x"), passed()), y = var(inside.names.fresh("y"), passed());
  std::vector<Expr> results;
  std::size_t first = 0;
  bool commutative = true;
  for (const ir::Operator& op : operators_) {
    const std::size_t count = op.neutral.size();
    commutative = commutative && op.commutative;
    for (std::size_t i = 0; i < count; ++i) {
      code.bind(op.op.params[i].name, Scalar{component(x, first + i)});
      code.bind(op.op.params[count + i].name, Scalar{component(y, first + i)});
    }
    code.body(op.op.body);
    for (const ir::Atom& atom : op.op.body.result) results.push_back(code.value(atom));
    first += count;
  }
  code.emit(Return{pack(results)});
  Stms body = inside.finish();
  // Operators are made without arguments.
  if (!inside.capture.params().empty()) throw NeedsScratch{};
  const std::string base = operators_.size() == 1 ? operator_name(operators_[0].op, base_)
                                                  : "Combine" + type_name(base_);
  Functor result{
      .name = base,
      .result = value_,
      .params = {{.name = name_of(x), .type = passed()}, {.name = name_of(y), .type = passed()}},
      .body = std::move(body),
      .associative = true,
      .commutative = commutative};
  for (const Definition& known : context_.entry.definitions) {
    const auto* other = std::get_if<Functor>(&known);
    const bool same = other && other->result == result.result && other->associative &&
                      other->fields.empty() && other->body.size() == 1 && result.body.size() == 1 &&
                      returned(*other) == returned(result) &&
                      other->params[0].name == result.params[0].name;
    if (same) return other->name;
  }
  result.name = context_.file_name(base);
  made_.push_back(result);
  return result.name;
}

}  // namespace boustro::plan::planner
