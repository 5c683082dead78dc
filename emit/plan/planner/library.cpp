// Reductions and scans at the host's level: library calls whose inputs and outputs are computed on
// the way.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

bool all_scalar(const std::vector<ir::Type>& types) {
  return std::all_of(types.begin(), types.end(),
                     [](const ir::Type& type) { return type.is_scalar(); });
}

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

}  // namespace

/// Plans one library call: the functors and the function around it.
class LibraryPlanner {
 public:
  LibraryPlanner(Host& host, const ir::Stm& stm, const std::vector<ir::Operator>& operators,
                 const ir::Lambda& fn, const std::vector<ir::Name>& arrays, const ir::Atom& width)
      : host_(host),
        context_(host.context_),
        stm_(stm),
        operators_(operators),
        fn_(fn),
        arrays_(arrays),
        extent_(host.code_.extents({width})[0]),
        base_(identifier(stm.pattern.front().name.base)),
        params_(context_, names_) {
    names_ = context_.file_names;
    params_.keep_wide(extent_.expr);
    for (const ir::Operator& op : operators) {
      for (const ir::Type& type : op.op.result_types) types_.push_back(type.elem);
    }
  }

  /// Throws NeedsScratch if the elements cannot be computed in registers.
  void plan(LibraryKind kind) {
    Definitions made;
    library_.kind = kind;
    library_.comment = comment_for(context_, &stm_);
    library_.comment.order = "associates freely; one pass over the data";
    value_ = value_type(made);
    const std::vector<Value> places = kind == LibraryKind::reduce ? cells() : arrays();
    library_.input = input(made);
    library_.functor = functor(made);
    if (kind == LibraryKind::reduce) {
      init();
    } else {
      output(made);
    }
    library_.count = params_.import(extent_.expr, "n");
    std::set<std::string> used;
    for (const Expr* expr : {&library_.input.value, &library_.output.value, &library_.count})
      add_names(*expr, used);
    if (library_.init) add_names(*library_.init, used);
    params_.keep(used);
    library_.params = params_.params();
    for (Param& param : library_.params) param.type.restricted = false;
    library_.name =
        context_.file_names.fresh((kind == LibraryKind::reduce ? "reduce_" : "scan_") + base_);
    auto& definitions = context_.entry.definitions;
    definitions.insert(definitions.end(), made.begin(), made.end());
    for (const PrimType type : types_) {
      if (values::is_float(type)) context_.entry.order_varies = true;
    }
    run();
    for (std::size_t i = 0; i < places.size(); ++i)
      host_.code_.bind(stm_.pattern[i].name, places[i]);
  }

 private:
  using Definitions = std::vector<Definition>;

  // ---- Values: one component is itself, several are a struct
  // --------------------------------------

  Type value_type(Definitions& made) {
    if (types_.size() == 1) return type(types_[0]);
    Struct record{.name = context_.file_names.fresh(type_name(base_) + "Values")};
    Identifiers names = context_.file_names;
    for (const ir::Operator& op : operators_) {
      for (std::size_t i = 0; i < op.neutral.size(); ++i) {
        fields_.push_back(names.fresh(op.op.params[i].name.base));
        record.fields.push_back({.name = fields_.back(), .type = type(types_[fields_.size() - 1])});
      }
    }
    made.push_back(record);
    return struct_type(record.name);
  }

  Expr pack(const std::vector<Expr>& components) const {
    return types_.size() == 1 ? components[0] : construct(value_.name, components);
  }

  Expr component(const Expr& value, std::size_t i) const {
    return types_.size() == 1 ? value : field(value, fields_[i], type(types_[i]));
  }

  Type passed() const { return types_.size() == 1 ? value_ : const_reference_to(value_); }

  // ---- Results
  // ------------------------------------------------------------------------------------

  std::vector<Value> cells() {
    std::vector<Value> result;
    if (types_.size() == 1) {
      result_ = host_.cell_for(stm_.pattern[0].name, types_[0]).pointer;
      result.push_back(Cell{result_});
    } else {
      const std::string name = host_.identifiers_.fresh(base_ + "_values");
      context_.entry.scratch.pieces.push_back(
          {.name = name, .elem = value_, .count = lit(1), .shape = {}});
      result_ = scratch_field(name, pointer_to(value_));
      for (std::size_t i = 0; i < types_.size(); ++i) {
        result.push_back(Cell{address_of(component(op(Op::dereference, result_), i))});
      }
    }
    const Expr inside = params_.add(base_, pointer_to(value_), Access::written, result_);
    library_.output = {inside, {}, value_};
    return result;
  }

  std::vector<Value> arrays() {
    std::vector<Value> result;
    for (const ir::Param& param : stm_.pattern) {
      // A component that nobody reads is not stored.
      const bool unused = context_.uses.of(param.name).count == 0 && types_.size() > 1;
      outputs_.push_back(unused ? std::nullopt : std::optional(host_.place(param)));
      result.push_back(unused ? Value(View{}) : Value(*outputs_.back()));
    }
    return result;
  }

  void output(Definitions& made) {
    if (types_.size() == 1 && is_one(outputs_[0]->memory()->strides[0])) {
      const View inside = params_.written(*outputs_[0], base_);
      library_.output = {inside.memory()->base, {}, value_};
      return;
    }
    Identifiers names = context_.file_names;
    Capture capture(context_, names);
    Code code(context_, names, surroundings(capture, names, nullptr));
    const Expr index = var(names.fresh("i")), value = var(names.fresh("value"), passed());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i]) continue;
      const View inside = capture.written(*outputs_[i], stm_.pattern[i].name.base);
      code.store(code.row(inside, index), component(value, i));
    }
    Stms body = code.take();
    capture.keep(names_in(body));
    Functor store{.name = context_.file_names.fresh("Store" + type_name(base_)),
                  .fields = capture.fields(),
                  .params = {{.name = std::get<Var>(index.head).name, .type = type(PrimType::i64)},
                             {.name = std::get<Var>(value.head).name, .type = passed()}},
                  .body = std::move(body)};
    store.comment.formula = {"Output of the scan: stores the values of all components."};
    library_.output = {constructed(store.name, capture),
                       context_.file_names.fresh(type_name(base_) + "Iterator"), value_};
    made.push_back(std::move(store));
  }

  // ---- Functors
  // -----------------------------------------------------------------------------------

  Surroundings surroundings(Capture& capture, Identifiers& names, Code** code) {
    Surroundings around;
    around.import = [&](const ir::Name& name) {
      return capture.import(host_.code_.value_of(name), name.base);
    };
    around.allocate = [&names, code](const std::string& base, PrimType elem,
                                     const std::vector<Scalar>& extents) {
      if (!code) throw NeedsScratch{};
      return register_array(**code, names, base, elem, extents);
    };
    around.failure = [&capture] {
      const Type failure = pointer_to(struct_type("Failure"));
      return capture.add("failure_record", failure, Access::updated, var("failure", failure));
    };
    return around;
  }

  /// The functor with its fields taken from parameters of the library function.
  Expr constructed(const std::string& name, const Capture& capture) {
    std::vector<Expr> args;
    const std::vector<Param> fields = capture.fields();
    const std::vector<Expr> hosts = capture.args();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      args.push_back(
          params_.add(fields[i].name, fields[i].type, fields[i].access, hosts[i], fields[i].shape));
    }
    return construct(name, args);
  }

  Operand input(Definitions& made) {
    if (types_.size() == 1 && arrays_.size() == 1 && ir::is_identity(fn_)) {
      const View array = host_.code_.view(arrays_[0]);
      if (array.memory() && is_one(array.memory()->strides[0])) {
        const View inside = std::get<View>(params_.import(Value(array), arrays_[0].base));
        return {inside.memory()->base, {}, value_};
      }
    }
    Identifiers names = context_.file_names;
    Capture capture(context_, names);
    capture.keep_wide(extent_.expr);
    Code* current = nullptr;
    Code code(context_, names, surroundings(capture, names, &current));
    current = &code;
    std::vector<View> inputs;
    for (const ir::Name& name : arrays_) inputs.push_back(code.view(name));
    const std::string index = names.fresh(code.index_base(fn_.params, 0, inputs));
    code.bind_counted(fn_.params, 0, inputs,
                      Scalar{var(index), std::nullopt, Range{0, size_range.high - 1}});
    code.body(fn_.body);
    std::vector<Expr> components;
    for (const ir::Atom& atom : fn_.body.result) components.push_back(code.value(atom));
    code.emit(Return{pack(components)});
    Stms body = code.take();
    capture.keep(names_in(body));
    Functor element{.name = context_.file_names.fresh(type_name(base_) + "At"),
                    .fields = capture.fields(),
                    .result = value_,
                    .params = {{.name = index, .type = type(PrimType::i64)}},
                    .body = std::move(body)};
    element.comment.formula = {std::string("Input of the ") +
                               (library_.kind == LibraryKind::reduce ? "reduction" : "scan") +
                               ": one element."};
    const Operand operand{constructed(element.name, capture), {}, value_};
    made.push_back(std::move(element));
    return operand;
  }

  std::string functor(Definitions& made) {
    Identifiers names = context_.file_names;
    Capture capture(context_, names);
    Code* current = nullptr;
    Code code(context_, names, surroundings(capture, names, &current));
    current = &code;
    const Expr x = var(names.fresh("x"), passed()), y = var(names.fresh("y"), passed());
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
    // Operators are made without arguments.
    Stms body = code.take();
    capture.keep(names_in(body));
    if (!capture.params().empty()) throw NeedsScratch{};
    const std::string base = operators_.size() == 1 ? operator_name(operators_[0].op, base_)
                                                    : "Combine" + type_name(base_);
    Functor result{.name = base,
                   .result = value_,
                   .params = {{.name = std::get<Var>(x.head).name, .type = passed()},
                              {.name = std::get<Var>(y.head).name, .type = passed()}},
                   .body = std::move(body),
                   .associative = true,
                   .commutative = commutative};
    for (const Definition& known : context_.entry.definitions) {
      const auto* other = std::get_if<Functor>(&known);
      const bool same = other && other->result == result.result && other->associative &&
                        other->fields.empty() && other->body.size() == 1 &&
                        result.body.size() == 1 && returned(*other) == returned(result) &&
                        other->params[0].name == result.params[0].name;
      if (same) return other->name;
    }
    result.name = context_.file_names.fresh(base);
    made.push_back(result);
    return result.name;
  }

  static std::optional<Expr> returned(const Functor& functor) {
    const auto* result = std::get_if<Return>(&functor.body.back().what);
    return result ? result->value : std::nullopt;
  }

  void init() {
    std::vector<Expr> components;
    for (const ir::Operator& op : operators_) {
      for (const ir::Atom& neutral : op.neutral) {
        if (!host_.is_known(neutral)) throw NeedsScratch{};
        components.push_back(params_.import(host_.code_.value(neutral), "neutral"));
      }
    }
    library_.init = pack(components);
  }

  // ---- The call
  // -----------------------------------------------------------------------------------

  void run() {
    Run call{library_.name, params_.args()};
    Run query{library_.name, {}};
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      const Type& type = library_.params[i].type;
      const bool counts = call.args[i] == extent_.expr;
      const bool is_value = !type.pointer && type.name.empty();
      query.args.push_back(counts         ? upper_size({extent_})
                           : type.pointer ? null_pointer(type)
                           : is_value && !values::is_float(type.prim)
                               ? lit(0, type.prim)
                               : lit(PrimValue::zero(type.prim)));
    }
    context_.entry.scratch.library.push_back(std::move(query));
    context_.entry.libraries.push_back(library_);
    Stms stms{Stm(std::move(call))};
    const auto size = int_value(extent_.expr);
    const bool guard = library_.kind != LibraryKind::reduce && !(size && *size > 0);
    if (guard) {
      host_.code_.emit(Stm(If{extent_.expr > 0, std::move(stms)}).after_gap());
    } else {
      host_.code_.emit(std::move(stms[0]));
    }
  }

  Host& host_;
  Context& context_;
  const ir::Stm& stm_;
  const std::vector<ir::Operator>& operators_;
  const ir::Lambda& fn_;
  const std::vector<ir::Name>& arrays_;
  Scalar extent_;
  std::string base_;
  Identifiers names_;
  Capture params_;
  Library library_;
  Type value_;
  std::vector<PrimType> types_;
  std::vector<std::string> fields_;
  std::vector<std::optional<View>> outputs_;
  Expr result_;
};

// ---- Reductions
// ----------------------------------------------------------------------------------

namespace {

/// The elements as they are: the map of a reduction or scan that was not fused with one.
ir::Lambda identity(ir::Names& names, const ir::Lambda& op, std::size_t count) {
  ir::Lambda fn;
  for (std::size_t i = 0; i < count; ++i) {
    fn.params.push_back(
        names.fresh_param(op.params[count + i].name.base, op.params[count + i].type));
    fn.body.result.push_back(fn.params.back().name);
    fn.result_types.push_back(fn.params.back().type);
  }
  return fn;
}

/// CUB reduces in an order of its own.
bool in_any_order(const ir::Operator& op) {
  const auto kind = ir::as_binop(op.op);
  return op.commutative || (kind && ir::commutes(*kind));
}

}  // namespace

void Host::reduce(const ir::Stm& stm, const ir::Reduce& e) {
  const auto vectorised = ir::as_vectorised_binop(e.op);
  if (vectorised && vectorised->depth > 0) return vectorised_reduce(stm, e, *vectorised);
  const ir::Lambda fn = identity(context_.names, e.op, e.arrays.size());
  context_.uses.add(fn);
  const ir::MapReduce fused{e.width, {{e.op, e.neutral, e.commutative}}, fn, e.arrays, {}};
  if (!library_reduce(stm, fused)) sequential(stm);
}

void Host::map_reduce(const ir::Stm& stm, const ir::MapReduce& e) {
  if (library_reduce(stm, e)) return;
  // The operands in memory, then one reduction for each operator.
  const std::vector<ir::Stm> parts = unfused(stm, e);
  for (const ir::Stm& part : parts) this->stm(part);
  flush();
}

bool Host::library_reduce(const ir::Stm& stm, const ir::MapReduce& e) {
  std::size_t components = 0;
  for (const ir::Operator& op : e.operators) {
    if (!all_scalar(op.op.result_types) || !in_any_order(op)) return false;
    components += op.neutral.size();
  }
  if (!e.accumulators.empty() || stm.pattern.size() != components || components == 0) return false;
  try {
    LibraryPlanner(*this, stm, e.operators, e.fn, e.arrays, e.width).plan(LibraryKind::reduce);
    return true;
  } catch (const NeedsScratch&) {
    return false;
  }
}

std::vector<ir::Stm> Host::unfused(const ir::Stm& stm, const ir::MapReduce& e) {
  const std::size_t accumulators = e.accumulators.size();
  std::vector<ir::Stm> parts;
  std::vector<ir::Param> pattern(stm.pattern.begin(),
                                 stm.pattern.begin() + static_cast<std::ptrdiff_t>(accumulators));
  std::size_t first = accumulators;
  std::vector<ir::Stm> reductions;
  for (const ir::Operator& op : e.operators) {
    ir::Reduce reduce{e.width, op.op, op.neutral, {}, op.commutative};
    std::vector<ir::Param> results;
    for (std::size_t i = 0; i < op.neutral.size(); ++i) {
      const ir::Type type = ir::array_of(e.width, e.fn.result_types[first]);
      const ir::Param operand =
          context_.names.fresh_param(stm.pattern[first].name.base + "_parts", type);
      pattern.push_back(operand);
      reduce.arrays.push_back(operand.name);
      results.push_back(stm.pattern[first++]);
    }
    reductions.push_back({results, reduce, stm.origin, {}});
  }
  pattern.insert(pattern.end(), stm.pattern.begin() + static_cast<std::ptrdiff_t>(first),
                 stm.pattern.end());
  parts.push_back({pattern, ir::Map{e.width, e.fn, e.arrays, e.accumulators}, stm.origin, {}});
  parts.insert(parts.end(), reductions.begin(), reductions.end());
  return parts;
}

/// reduce (map2 (+)): one thread for each element of the result.
void Host::vectorised_reduce(const ir::Stm& stm, const ir::Reduce& e, ir::VectorisedOp op) {
  const View to = place(stm.pattern[0]);
  ir::Builder builder(context_.names);
  const ir::Type elem = ir::scalar(to.elem);
  const ir::Lambda scalar =
      builder.lambda({{"x", elem}, {"y", elem}}, [&](ir::Builder& b, const auto& args) {
        return std::vector<ir::Atom>{b.binop("combined", op.kind, args[0], args[1])};
      });
  context_.uses.add(scalar);
  const ir::Name start = context_.names.bind_fresh("start", elem);
  Space space{.base = stm.pattern[0].name.base,
              .extents = {to.extents.front()},
              .index_bases = {"i"},
              .stm = &stm,
              .grid = "one thread per element of the result"};
  if (to.rank() > 1) space.extents.push_back(to.extents.back()), space.index_bases.push_back("j");
  launch(space, [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    const View result = capture.written(to, stm.pattern[0].name.base);
    const View neutral = std::get<View>(code.value_of(std::get<ir::Name>(e.neutral[0])));
    const View array = code.view(e.arrays[0]);
    const Scalar width = code.extents({e.width})[0];
    const auto element = [&](const View& cell, const View& zero, const std::vector<Expr>& at) {
      code.bind(start, code.load(zero));
      Results values = code.running({scalar, {start}, true}, {"combined"});
      code.loop(width, "l", [&](const Scalar& l) {
        View part = code.row(array, l.expr);
        for (const Expr& index : at) part = code.row(part, index);
        code.step({scalar, {start}, true}, values, {Value(code.load(part))});
      });
      code.store(cell, std::get<Scalar>(values[0]).expr);
    };
    const std::function<void(const View&, const View&, std::vector<Expr>)> level =
        [&](const View& cell, const View& zero, std::vector<Expr> at) {
          if (cell.rank() == 0) return element(cell, zero, at);
          const auto inside = [&](const Scalar& i) {
            std::vector<Expr> next = at;
            next.push_back(i.expr);
            level(code.row(cell, i.expr), code.row(zero, i.expr), next);
          };
          if (at.empty()) return inside(indices[0]);
          if (cell.rank() == 1) return inside(indices[1]);
          code.loop(cell.extents[0], "l", inside);
        };
    level(result, neutral, {});
  });
  code_.bind(stm.pattern[0].name, to);
}

// ---- Scans
// ---------------------------------------------------------------------------------------

void Host::scan(const ir::Stm& stm, const ir::Scan& e) {
  const ir::Lambda fn = identity(context_.names, e.op, e.arrays.size());
  context_.uses.add(fn);
  const ir::MapScan fused{e.width, {{e.op, e.neutral, false}}, fn, e.arrays};
  if (!library_scan(stm, fused)) sequential(stm);
}

void Host::map_scan(const ir::Stm& stm, const ir::MapScan& e) {
  if (library_scan(stm, e)) return;
  const std::vector<ir::Stm> parts = unfused(stm, e);
  for (const ir::Stm& part : parts) this->stm(part);
  flush();
}

bool Host::library_scan(const ir::Stm& stm, const ir::MapScan& e) {
  std::size_t components = 0;
  for (const ir::Operator& op : e.operators) {
    if (!all_scalar(op.op.result_types)) return false;
    components += op.neutral.size();
  }
  if (stm.pattern.size() != components || components == 0) return false;
  try {
    LibraryPlanner(*this, stm, e.operators, e.fn, e.arrays, e.width)
        .plan(LibraryKind::inclusive_scan);
    return true;
  } catch (const NeedsScratch&) {
    return false;
  }
}

std::vector<ir::Stm> Host::unfused(const ir::Stm& stm, const ir::MapScan& e) {
  std::vector<ir::Stm> parts, scans;
  std::vector<ir::Param> pattern;
  std::size_t first = 0;
  for (const ir::Operator& op : e.operators) {
    ir::Scan scan{e.width, op.op, op.neutral, {}};
    std::vector<ir::Param> results;
    for (std::size_t i = 0; i < op.neutral.size(); ++i) {
      const ir::Type type = ir::array_of(e.width, e.fn.result_types[first]);
      const ir::Param operand =
          context_.names.fresh_param(stm.pattern[first].name.base + "_parts", type);
      pattern.push_back(operand);
      scan.arrays.push_back(operand.name);
      results.push_back(stm.pattern[first++]);
    }
    scans.push_back({results, scan, stm.origin, {}});
  }
  pattern.insert(pattern.end(), stm.pattern.begin() + static_cast<std::ptrdiff_t>(first),
                 stm.pattern.end());
  parts.push_back({pattern, ir::Map{e.width, e.fn, e.arrays, {}}, stm.origin, {}});
  parts.insert(parts.end(), scans.begin(), scans.end());
  return parts;
}

}  // namespace boustro::plan::planner
