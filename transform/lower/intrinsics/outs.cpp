// What becomes of the values of the points of a nest, or of the elements of a fused map: `core.store` and its like. An out
// is a value of its own, the application that says it, until core.nest or core.fused takes it.
#include "transform/lower/intrinsics/outs.hpp"

#include "frontend/source/messages.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/sizes.hpp"

namespace boustro::lower {

using check::Intrinsic;

void refuse_core(const Context& context, const char* what) {
  source::refuse(source::Message::lower_nest, context.at(), what);
}

namespace {

int number_of(Context& context, const Value& value) {
  const auto* atom = std::get_if<Atom>(&value.node);
  const PrimValue* literal = atom ? ir::literal_in(*atom) : nullptr;
  if (!literal) refuse_core(context, "how many dimensions an out keeps is a number");
  return static_cast<int>(literal->as_int());
}

ir::Operator operator_of(Context& context, const Value& op, const Value& neutral, const Type& type) {
  return {lower_to_lambda(context, op, {type, type}, type), leaves_as(context, neutral, type), false};
}

/// Sets the destinations and, of the first one, as many dimensions as there are indices.
void set_destinations(Context& context, ir::Out& out, const Use& use) {
  const int dimensions = number_of(context, use.arg(0));
  out.destinations = arrays_as(context, use.arg(1), use.type(0));
  for (const ir::Name& name : out.destinations) {
    const ir::Shape& shape = context.names.type_of(name).shape;
    if (dimensions < 1 || static_cast<int>(shape.size()) < dimensions)
      refuse_core(context, "a destination has fewer dimensions than its indices");
    if (out.bins.empty()) out.bins.assign(shape.begin(), shape.begin() + dimensions);
  }
}

ir::Out out_of(Context& context, const Value& value, int rank) {
  const auto* closure = std::get_if<ClosureRef>(&value.node);
  const auto* intrinsic = closure ? std::get_if<Intrinsic>(&(*closure)->code) : nullptr;
  if (!intrinsic) refuse_core(context, "what becomes of the values is not said by outs such as `core.store`");
  const Use use{*intrinsic, **closure};
  ir::Out out;
  const auto combine = [&](ir::OutKind kind) {
    out.kind = kind;
    out.rank = number_of(context, use.arg(0));
    out.op = operator_of(context, use.arg(1), use.arg(2), use.type(0));
  };
  switch (*intrinsic) {
    case Intrinsic::out_store:
      out.rank = number_of(context, use.arg(0));
      return out;
    case Intrinsic::out_reduce:
      combine(ir::OutKind::reduce);
      return out;
    case Intrinsic::out_reduce_comm:
      combine(ir::OutKind::reduce);
      out.op->commutative = true;
      return out;
    case Intrinsic::out_scan:
      combine(ir::OutKind::scan);
      return out;
    case Intrinsic::out_histogram:
      out.kind = ir::OutKind::histogram;
      out.rank = rank;
      set_destinations(context, out, use);
      out.op = operator_of(context, use.arg(2), use.arg(3), use.type(1));
      return out;
    case Intrinsic::out_scatter:
      out.kind = ir::OutKind::scatter;
      out.rank = rank;
      set_destinations(context, out, use);
      return out;
    case Intrinsic::out_epilogue:
      out = out_of(context, use.arg(0), rank);
      out.epilogue = lower_to_lambda(context, use.arg(1), {use.type(0)}, use.type(1));
      return out;
    case Intrinsic::out_direct:
    case Intrinsic::out_library:
    case Intrinsic::out_atomic:
    case Intrinsic::out_copies:
    case Intrinsic::out_parts:
      out = out_of(context, use.arg(0), rank);
      out.method = *intrinsic == Intrinsic::out_direct    ? ir::Method::direct
                   : *intrinsic == Intrinsic::out_library ? ir::Method::library
                   : *intrinsic == Intrinsic::out_atomic  ? ir::Method::atomic
                   : *intrinsic == Intrinsic::out_copies  ? ir::Method::copies
                                                          : ir::Method::parts;
      return out;
    default:
      refuse_core(context, "what becomes of the values is not said by outs such as `core.store`");
  }
}

}  // namespace

std::vector<ir::Out> outs_of(Context& context, const Value& value, int rank) {
  std::vector<ir::Out> outs;
  if (const auto* record = std::get_if<RecordValue>(&value.node)) {
    for (const FieldValue& f : record->fields) outs.push_back(out_of(context, f.value, rank));
  } else {
    outs.push_back(out_of(context, value, rank));
  }
  return outs;
}

bool is_unit(const Type& type) {
  const auto* record = std::get_if<RecordType>(&type.node);
  return record && record->fields.empty();
}

ir::Lambda lambda_of(Context& context, const Value& function, const Type* accumulators,
                     const Type& arguments, const Type& results) {
  const Type both = accumulators ? Type{RecordType{{{"0", *accumulators}, {"1", results}}}} : results;
  ir::Lambda lambda =
      accumulators ? lower_to_lambda(context, function, {*accumulators, arguments}, both)
                   : lower_to_lambda(context, function, {arguments}, both);
  if (is_unit(arguments)) lambda.params.pop_back();
  if (is_unit(results)) {
    lambda.body.result.pop_back();
    lambda.result_types.pop_back();
  }
  return lambda;
}

Value emit_form(Context& context, const std::vector<ir::Name>& accumulators, const Type* type,
                const Type& results, ir::Exp form) {
  const auto carried = static_cast<std::ptrdiff_t>(accumulators.size());
  std::vector<std::string> bases;
  for (const ir::Name& name : accumulators) bases.push_back(context.called(name));
  if (!is_unit(results)) bases.resize(bases.size() + leaves_of(results).size(), "xs");
  const std::vector<ir::Name> names = context.emit_all(bases, std::move(form));
  const Value made = is_unit(results) ? Value{RecordValue{}}
                                      : from_leaves(results, {names.begin() + carried, names.end()});
  if (!type) return made;
  return tuple({from_leaves(*type, {names.begin(), names.begin() + carried}), made});
}

/// The closure of the complete application.
Value lower_out(Context&, const Use& use) { return {std::make_shared<const Closure>(use.closure)}; }

}  // namespace boustro::lower
