// The functors of library calls: elements as functions of their index, operators, and what stores
// the results.
#include <algorithm>

#include "emit/plan/planner/library.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

std::string name_of(const Expr& variable) { return std::get<Var>(variable.head).name; }

}  // namespace

struct LibraryPlanner::Inside {
  /// `leave`: how a functor ends where a check fails.
  Inside(const LibraryPlanner& planner, std::optional<Stm> leave)
      : names(planner.context_.file_names),
        capture(planner.context_, names),
        code(planner.context_, names, surroundings(planner, std::move(leave))) {
    capture.keep_wide(planner.extent_.expr);
    code.assume_nonzero(capture.import(planner.extent_.expr, "n"));
  }
  Inside(const Inside&) = delete;

  Surroundings surroundings(const LibraryPlanner& planner, std::optional<Stm> leave) {
    Surroundings around;
    around.leave = std::move(leave);
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
    drop_unused(body);
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

// ---- Inputs

namespace {

/// The array whose elements the points of the nest yield as they are.
std::optional<ir::Name> array_of_elements(const ir::Nest& nest) {
  const ir::Body& body = nest.point.body;
  if (body.stms.size() != 1 || body.result.size() != 1 || body.result[0] != ir::Atom(body.stms[0].pattern[0].name))
    return std::nullopt;
  const auto* index = std::get_if<ir::Index>(&body.stms[0].exp);
  const bool element = index && !index->checked && index->indices.size() == 1 &&
                       index->indices[0] == ir::DimIndex(ir::Atom(nest.point.params[0].name));
  return element ? std::optional(index->array) : std::nullopt;
}

}  // namespace

Operand LibraryPlanner::input() {
  if (const auto name = array_of_elements(nest_)) {
    const View array = host_.code_.view(*name);
    if (array.memory() && is_one(array.memory()->strides[0]) && !context_.tables.hold(array)) {
      const View inside = std::get<View>(params_.import(Value(array), name->base));
      return {inside.memory()->base, value_};
    }
  }
  Inside inside(*this, Return{zero_of(value_)});
  Code& code = inside.code;
  const ir::Name& param = nest_.point.params[0].name;
  const Expr index = var(inside.names.fresh(param.base));
  code.bind(param, Scalar{index, std::nullopt, indices_below(size_range)});
  code.body(nest_.point.body);
  std::vector<Expr> components;
  for (const ir::Atom& atom : nest_.point.body.result) components.push_back(code.value(atom));
  code.emit(Return{pack(components)});
  Stms body = inside.finish();
  Functor element{.name = context_.file_name(type_name(base_) + "At"),
                  .fields = inside.capture.fields(),
                  .result = value_,
                  .params = {{.name = name_of(index), .type = type(PrimType::i64)}},
                  .body = std::move(body)};
  element.comment.formula = {std::string("Input of the ") +
                             (library_.kind == LibraryKind::inclusive_scan ? "scan" : "reduction") +
                             ": one element."};
  const Operand operand{constructed(element.name, inside.capture), value_};
  made_.push_back(std::move(element));
  return operand;
}

// ---- Outputs

Operand LibraryPlanner::output() {
  if (!epilogue_ && types_.size() == 1 && is_one(outputs_[0]->memory()->strides[0])) {
    const View inside = params_.written(*outputs_[0], base_);
    return {inside.memory()->base, value_};
  }
  Inside inside(*this, Return{});
  const Expr index = var(inside.names.fresh(epilogue_ ? epilogue_->params[0].name.base : "i"));
  const Expr value = var(inside.names.fresh(epilogue_ ? base_ : "value"), passed());
  if (epilogue_) {
    store_epilogue(inside, index, value);
  } else {
    store(inside, index, value);
  }
  Stms body = inside.finish();
  Functor functor{.name = context_.file_name("Store" + type_name(stored_)),
                  .fields = inside.capture.fields(),
                  .params = {{.name = name_of(index), .type = type(PrimType::i64)},
                             {.name = name_of(value), .type = passed()}},
                  .body = std::move(body)};
  functor.comment.formula = {epilogue_
                                 ? "Output of the scan: takes " + name_of(value) +
                                       ", and stores what is computed from it."
                                 : "Output of the scan: stores the values of all components."};
  const Operand operand{constructed(functor.name, inside.capture), value_};
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

/// The components of the result, or what is computed from them.
Operand LibraryPlanner::output_of_reduction(const std::vector<Value>& cells) {
  Inside inside(*this, Return{});
  Code& code = inside.code;
  std::vector<Expr> targets;
  for (const Value& cell : cells) targets.push_back(inside.capture.written(std::get<Cell>(cell)));
  const Expr value = var(inside.names.fresh(base_), passed());
  if (epilogue_) {
    for (std::size_t k = 0; k < types_.size(); ++k) code.bind(epilogue_->params[k].name, Scalar{component(value, k)});
    code.body(epilogue_->body);
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    code.assign(targets[i], epilogue_ ? code.value(epilogue_->body.result[i]) : component(value, i));
  Stms body = inside.finish();
  Functor functor{.name = context_.file_name("Store" + type_name(stored_)),
                  .fields = inside.capture.fields(),
                  .params = {{.name = inside.names.fresh("i"), .type = type(PrimType::i64)},
                             {.name = name_of(value), .type = passed()}},
                  .body = std::move(body)};
  functor.comment.formula = {epilogue_ ? "Output of the reduction: takes " + name_of(value) + ", and stores what is computed from it."
                                       : "Output of the reduction: stores the values of all components."};
  const Operand operand{constructed(functor.name, inside.capture), value_};
  made_.push_back(std::move(functor));
  return operand;
}

/// The epilogue of one element: the scan's results are the value's components.
void LibraryPlanner::store_epilogue(Inside& inside, const Expr& index, const Expr& value) {
  Code& code = inside.code;
  std::vector<std::optional<View>> places;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    places.push_back(outputs_[i] ? std::optional(inside.capture.written(
                                       *outputs_[i], stm_.pattern[i].name.base))
                                 : std::nullopt);
  }
  const Scalar at{index, std::nullopt, indices_below(size_range)};
  code.bind(epilogue_->params[0].name, at);
  for (std::size_t k = 0; k < types_.size(); ++k)
    code.bind(epilogue_->params[1 + k].name, Scalar{component(value, k)});
  code.body(epilogue_->body);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i]) code.store(code.row(*places[i], index), code.final_value(epilogue_->body.result[i]));
  }
}

// ---- Operators

std::string LibraryPlanner::functor() {
  Inside inside(*this, Return{zero_of(value_)});
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
  source::internal_check(inside.capture.params().empty(), "plan: an operator of the library takes something from the program");
  const std::string base = operators_.size() == 1 ? operator_name(operators_[0].op, base_)
                                                  : "Combine" + type_name(base_);
  Functor result{
      .name = base,
      .result = value_,
      .params = {{.name = name_of(x), .type = passed()}, {.name = name_of(y), .type = passed()}},
      .body = std::move(body),
      .associative = true,
      .commutative = commutative};
  if (const Functor* known = context_.known_operator(result)) return known->name;
  result.name = context_.file_name(base);
  made_.push_back(result);
  return result.name;
}

}  // namespace boustro::plan::planner
