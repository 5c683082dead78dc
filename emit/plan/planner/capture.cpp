#include "emit/plan/planner/capture.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/layout.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/words.hpp"

namespace boustro::plan::planner {
namespace {

/// The name that the host has for a value: a variable or a piece of scratch memory.
std::string host_name(const Expr& host, const std::string& base) {
  if (const auto* v = std::get_if<Var>(&host.head)) return v->name;
  if (const auto* f = std::get_if<Field>(&host.head)) return f->name;
  return base;
}

/// Another one than that of its elements.
std::string name_of_row(const std::string& base) { return ir::element_of(base) == base ? ir::with_ending(base, "_row") : base; }

/// Of variables and numbers.
bool is_sum(const Expr& expr) {
  const bool sum = expr.head == Head(Op::add) || expr.head == Head(Op::sub) ||
                   std::holds_alternative<Cast>(expr.head) || std::holds_alternative<Var>(expr.head) ||
                   std::holds_alternative<Literal>(expr.head);
  return sum && std::all_of(expr.args.begin(), expr.args.end(), is_sum);
}

bool is_int(const Expr& expr) { return expr.type.prim == PrimType::i32 && is_integer(expr.type); }

Expr as_int64(const Expr& expr) {
  return int_value(expr) ? lit(*int_value(expr)) : cast(PrimType::i64, expr);
}

/// What is read through a pointer is not changed through it.
Type read_through(const Type& type) { return type.pointer ? const_pointer_to(elem_of(type)) : type; }

}  // namespace

Expr Capture::add(const std::string& base, Type type, Access access, const Expr& arg,
                  std::vector<std::string> shape) {
  for (const Captured& captured : captured_) {
    if (captured.arg == arg) return var(captured.param.name, captured.param.type);
  }
  Param param{.name = identifiers_.fresh_outside(base),
              .type = std::move(type),
              .shape = std::move(shape),
              .access = access};
  captured_.push_back({param, arg});
  Expr inside = var(param);
  inside.type.restricted = false;
  return inside;
}

void Capture::keep_wide(const Expr& host) {
  if (const auto* v = std::get_if<Var>(&host.head)) wide_.insert(v->name);
}

Expr Capture::import(const Expr& host, const std::string& base) {
  if (const auto* v = std::get_if<Var>(&host.head)) {
    if (runtime::is_constant(v->name) || context_.tables.contains(v->name)) return host;
    const bool size = context_.entry_sizes.contains(v->name) && !wide_.contains(v->name);
    if (size && !context_.options.wide_index)
      return add(v->name, type(PrimType::i32), Access::value, cast(PrimType::i32, host));
    return add(v->name, read_through(host.type), host.type.pointer ? Access::read : Access::value, host);
  }
  if (std::holds_alternative<Field>(host.head))
    return add(host_name(host, base), read_through(host.type), Access::read, host);

  Expr inside = host;
  bool narrowed = false;
  for (Expr& arg : inside.args) {
    const bool was_int = is_int(arg);
    arg = import(arg, base);
    narrowed = narrowed || (!was_int && is_int(arg));
  }
  if (!narrowed) return inside;
  // Sizes became `int`. Products of sizes stay so if the entry checks them; all else is computed as
  // before.
  const Op* op = std::get_if<Op>(&host.head);
  if (op && *op == Op::mul) {
    if (context_.limit_to_int(host)) return times(inside.args[0], inside.args[1]);
    return times(as_int64(inside.args[0]), as_int64(inside.args[1]));
  }
  for (std::size_t i = 0; i < inside.args.size(); ++i) {
    if (is_int(inside.args[i]) && !is_int(host.args[i])) inside.args[i] = as_int64(inside.args[i]);
  }
  return inside;
}

Value Capture::import(const Value& host, const std::string& base) {
  return ir::match(
      host,
      [&](const Scalar& s) -> Value {
        Scalar inside{import(s.expr, base), context_.bound_here(s), s.range, s.exact};
        inside.nonzero = s.nonzero;
        if (s.end && is_sum(*s.end)) inside.end = import(*s.end, base);
        if (is_int(inside.expr) && !is_int(s.expr)) inside.range = int_size_range;
        return inside;
      },
      [&](const Cell& cell) -> Value {
        return std::get<Scalar>(Value(Scalar{add(
            host_name(cell.pointer, base), restricted(const_pointer_to(elem_of(cell.pointer.type))),
            Access::read, cell.pointer)[lit(0, PrimType::i32)]}));
      },
      [&](const View& view) -> Value { return import_view(view, base, Access::read); },
      [&](const Accumulator& accumulator) -> Value {
        return Accumulator{import_view(accumulator.destination, base, accumulator.once ? Access::updated : access_of(accumulator.kind)),
                           accumulator.kind, accumulator.shared, accumulator.once, accumulator.by_warp};
      });
}

Access access_of(const ir::AccumulatorKind& kind) {
  const auto* combine = std::get_if<ir::Combine>(&kind);
  return !combine || ir::as_binop(combine->op) == ir::BinOpKind::add ? Access::added_to : Access::updated;
}

View Capture::written(const View& host, const std::string& base, Access access) {
  return import_view(host, base, access);
}

Expr Capture::written(const Cell& host) {
  const Type type = restricted(pointer_to(elem_of(host.pointer.type)));
  return add(host_name(host.pointer, "result"), type, Access::written,
             host.pointer)[lit(0, PrimType::i32)];
}

bool Capture::is_first_row(const Expr& pointer, const View& host) const {
  const auto* array = std::get_if<Var>(&pointer.head);
  const auto whole = array ? context_.param_extents.find(array->name) : context_.param_extents.end();
  if (whole == context_.param_extents.end() || host.extents.size() >= whole->second.size()) return false;
  return std::equal(host.extents.rbegin(), host.extents.rend(), whole->second.rbegin(), [](const Scalar& extent, const Expr& of_whole) { return extent.expr == of_whole; });
}

View Capture::import_view(const View& host, const std::string& base, Access access) {
  View inside{host.elem, {}, host.data};
  for (const Scalar& extent : host.extents)
    inside.extents.push_back(std::get<Scalar>(import(Value(extent), "size")));
  if (const auto* counting = std::get_if<Counting>(&host.data)) {
    inside.data = Counting{import(counting->start), import(counting->step), counting->range};
  } else if (const auto* constant = std::get_if<Constant>(&host.data)) {
    inside.data = Constant{import(constant->value, base), constant->range};
  } else {
    const Memory& memory = *host.memory();
    Memory part{};
    // The argument points to the first element, unless that is known on the device only, or others
    // stand before it. Tables are no arguments.
    const bool in_table = context_.tables.hold(host);
    const bool late = in_table || is_read_backwards(memory) || contains_element(memory.offset);
    const Expr pointer = late || is_zero(memory.offset) ? memory.base : memory.base + memory.offset;
    Type type = access == Access::read ? const_pointer_to(elem_of(pointer.type))
                                       : pointer_to(elem_of(pointer.type));
    const bool at_begin = late || is_zero(memory.offset);
    const std::string name = !at_begin ? base : !late && is_first_row(pointer, host) ? name_of_row(base) : host_name(pointer, base);
    part.base = in_table ? memory.base : add(name, restricted(type), access, pointer, shape_text(host));
    part.offset = late ? import(memory.offset) : lit(0);
    for (const Expr& stride : memory.strides) part.strides.push_back(import(stride));
    inside.data = part;
  }
  return inside;
}

void Capture::keep(const std::set<std::string>& used) {
  for (const Captured& captured : captured_) {
    if (!used.contains(captured.param.name)) identifiers_.release_outside(captured.param.name);
  }
  std::erase_if(captured_,
                [&](const Captured& captured) { return !used.contains(captured.param.name); });
  for (const Captured& captured : captured_) {
    const bool narrow = captured.param.type == type(PrimType::i32) &&
                        std::holds_alternative<Cast>(captured.arg.head);
    if (narrow && captured.arg.args[0].type == type(PrimType::i64))
      context_.limit_to_int(captured.arg.args[0]);
  }
}

std::vector<Capture::Captured> Capture::ordered() const {
  std::vector<Captured> result = captured_;
  const auto rank = [](const Captured& captured) {
    if (!captured.param.type.pointer) return 3;
    if (captured.param.access == Access::scratch) return 1;
    return captured.param.access == Access::read ? 2 : 0;
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Captured& x, const Captured& y) { return rank(x) < rank(y); });
  return result;
}

std::vector<Param> Capture::params() const {
  std::vector<Param> params;
  for (const Captured& captured : ordered()) params.push_back(captured.param);
  return params;
}

std::vector<Param> Capture::fields() const {
  std::vector<Param> fields = params();
  for (Param& field : fields) field.type.restricted = false;
  return fields;
}

std::vector<Expr> Capture::args() const {
  std::vector<Expr> args;
  for (const Captured& captured : ordered()) args.push_back(captured.arg);
  return args;
}

}  // namespace boustro::plan::planner
