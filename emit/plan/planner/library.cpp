#include "emit/plan/planner/library.hpp"

#include <algorithm>

#include "emit/plan/walk.hpp"
#include "transform/facts/rounding.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"

namespace boustro::plan::planner {

LibraryPlanner::LibraryPlanner(Host& host, const ir::Stm& stm, const ir::Nest& nest)
    : host_(host),
      context_(host.context_),
      stm_(stm),
      nest_(nest),
      extent_(host.code_.extents(nest.space)[0]),
      base_(identifier(stm.pattern.front().name.base)),
      stored_(base_),
      params_(context_, names_) {
  names_ = context_.file_names;
  params_.keep_wide(extent_.expr);
  for (const ir::Out& out : nest.outs) {
    operators_.push_back(*out.op);
    if (out.epilogue) {  // what is combined has the name of its value, not of what is made of it
      epilogue_ = &*out.epilogue;
      base_ = identifier(epilogue_->params[out.kind == ir::OutKind::scan ? 1 : 0].name.base);
    }
    for (const ir::Type& type : out.op->op.result_types) types_.push_back(type.elem);
  }
}

namespace {

/// That of the array or cell, if the whole of it is called by one name. A `result` says less than what it is called otherwise, but for the
/// name of an operation: `sum`.
std::string name_of_place(const Value& place, const std::string& otherwise) {
  const auto* cell = std::get_if<Cell>(&place);
  const Expr base = cell ? cell->pointer : std::get<View>(place).memory()->base;
  const auto* variable = std::get_if<Var>(&base.head);
  const bool says_more = variable && (!variable->name.starts_with("result") || ir::names_an_operation(otherwise));
  if (says_more) return variable->name;
  const auto* piece = std::get_if<Field>(&base.head);
  return piece ? piece->name : otherwise;
}

}  // namespace

void LibraryPlanner::plan(LibraryKind kind) {
  library_.kind = kind;
  library_.comment = comment_for(context_, &stm_);
  const bool reduces = kind != LibraryKind::inclusive_scan;
  library_.comment.order = reduces ? "as CUB associates, the same in each run on a device; one pass over the data" : "associates freely, in each run anew; one pass over the data";
  value_ = value_type();
  const std::vector<Value> results = reduces ? cells() : places();
  if (results.size() == 1) stored_ = name_of_place(results[0], stored_);
  if (reduces) library_.index = nest_.point.params.back().name.base;
  library_.input = input();
  library_.functor = functor();
  if (reduces) {
    init();
  } else {
    library_.output = output();
  }
  // As one parameter, by which the query for memory recognises it.
  library_.count = is_simple(extent_.expr)
                       ? params_.import(extent_.expr, "n")
                       : params_.add("count", type(PrimType::i64), Access::value, extent_.expr);
  std::set<std::string> used;
  for (const Expr* expr : {&library_.input.value, &library_.output.value, &library_.count})
    add_names(*expr, used);
  if (library_.init) add_names(*library_.init, used);
  params_.keep(used);
  library_.params = params_.params();
  for (Param& param : library_.params) param.type.restricted = false;
  library_.name = context_.file_name((reduces ? "reduce_" : "scan_") + stored_);
  auto& definitions = context_.entry.definitions;
  definitions.insert(definitions.end(), made_.begin(), made_.end());
  // cub::DeviceReduce combines in the same order in every run on a device, cub::DeviceScan does not.
  for (const ir::Operator& op : operators_) {
    if (!reduces && facts::rounds(op.op.body)) context_.entry.order_varies = true;
  }
  run();
  for (std::size_t i = 0; i < results.size(); ++i)
    host_.code_.bind(stm_.pattern[i].name, results[i]);
}

// ---- Values

Type LibraryPlanner::value_type() {
  if (types_.size() == 1) return type(types_[0]);
  Struct record{.name = context_.file_name(type_name(base_) + "Values")};
  Identifiers names = context_.file_names;
  for (const ir::Operator& op : operators_) {
    for (std::size_t i = 0; i < op.neutral.size(); ++i) {
      fields_.push_back(names.fresh(op.op.params[i].name.base));
      record.fields.push_back({.name = fields_.back(), .type = type(types_[fields_.size() - 1])});
    }
  }
  made_.push_back(record);
  return struct_type(record.name);
}

Expr LibraryPlanner::pack(const std::vector<Expr>& components) const {
  return types_.size() == 1 ? components[0] : construct(value_.name, components);
}

Expr LibraryPlanner::component(const Expr& value, std::size_t i) const {
  return types_.size() == 1 ? value : field(value, fields_[i], type(types_[i]));
}

// ---- Results

std::vector<Value> LibraryPlanner::cells() {
  std::vector<Value> result;
  const bool wanted_elsewhere = std::any_of(stm_.pattern.begin(), stm_.pattern.end(),
                                            [&](const ir::Param& param) { return host_.cells_.contains(param.name); });
  if (epilogue_ || types_.size() == 1 || wanted_elsewhere) {
    for (const ir::Param& param : stm_.pattern) result.push_back(host_.cell_for(param.name, param.type.elem));
  }
  if (result.size() == 1) stored_ = name_of_place(result[0], stored_);
  if (epilogue_ || (types_.size() > 1 && wanted_elsewhere)) {
    library_.output = output_of_reduction(result);
    return result;
  }
  if (types_.size() == 1) {
    result_ = std::get<Cell>(result[0]).pointer;
  } else {
    const std::string name = host_.identifiers_.fresh(base_ + "_values");
    context_.add_piece({.name = name, .elem = value_, .count = lit(1), .shape = {}});
    result_ = scratch_field(name, pointer_to(value_));
    for (std::size_t i = 0; i < types_.size(); ++i) {
      result.push_back(Cell{address_of(component(op(Op::dereference, result_), i))});
    }
  }
  const Expr inside = params_.add(base_, pointer_to(value_), Access::written, result_);
  library_.output = {inside, value_};
  return result;
}

std::vector<Value> LibraryPlanner::places() {
  std::vector<Value> result;
  for (const ir::Param& param : stm_.pattern) {
    // What nobody reads is not stored.
    const bool unused = context_.uses.of(param.name).count == 0 && (epilogue_ || types_.size() > 1);
    outputs_.push_back(unused ? std::nullopt : std::optional(host_.place(param)));
    result.push_back(unused ? Value(View{}) : Value(*outputs_.back()));
  }
  return result;
}

// ---- The call

void LibraryPlanner::init() {
  std::vector<Expr> components;
  for (const ir::Operator& op : operators_) {
    for (const ir::Atom& neutral : op.neutral) {
      components.push_back(params_.import(host_.fetch(neutral).expr, "neutral"));
    }
  }
  library_.init = pack(components);
}

void LibraryPlanner::run() {
  const std::vector<Expr> args = params_.args();
  const Expr most = context_.bound_here(extent_);
  std::vector<Expr> query;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Type& type = library_.params[i].type;
    const bool counts = args[i] == extent_.expr;
    const bool is_value = !type.pointer && type.name.empty();
    query.push_back(counts         ? most
                    : type.pointer ? null_pointer(type)
                    : is_value && !values::is_float(type.prim)
                        ? lit(0, type.prim)
                        : lit(PrimValue::zero(type.prim)));
  }
  Stms stms{Stm(context_.library_call(library_, args, std::move(query), most))};
  const auto size = int_value(extent_.expr);
  const bool guard = library_.kind == LibraryKind::inclusive_scan && !(size && *size > 0);
  if (guard) {
    host_.code_.emit(Stm(If{extent_.expr > 0, std::move(stms)}).after_gap());
  } else {
    host_.code_.emit(std::move(stms[0]));
  }
}

}  // namespace boustro::plan::planner
