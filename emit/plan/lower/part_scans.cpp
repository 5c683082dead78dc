#include "emit/plan/lower/part_scans.hpp"

#include <algorithm>

#include "emit/plan/lower/loops.hpp"

namespace boustro::plan::planner {
namespace {

const Type wide_number = type(PrimType::i64), narrow_number = type(PrimType::i32);

}  // namespace

PartScans::PartScans(Code& code, Identifiers& identifiers, const ir::Stm& stm, const facts::PartScans& scans, Expr all, std::vector<OutPlace>& places)
    : code_(code), identifiers_(identifiers), stm_(stm), nest_(std::get<ir::Nest>(stm.exp)), scans_(scans), all_(std::move(all)), places_(places), k_(var(identifiers.fresh("k"), narrow_number)) {
  for (const facts::PartScan& scan : scans.scans) scanned_.push_back(scanned(scan));
}

PartScans::Scanned PartScans::scanned(const facts::PartScan& scan) {
  const ir::Stm& stm = nest_.point.body.stms[scan.at];
  Scanned result{scan, std::get<ir::Nest>(stm.exp), stm.pattern};
  const ir::Operator& op = *result.nest.outs[0].op;
  const std::string& base = stm.pattern[0].name.base;
  Context& context = code_.context();
  if (stm.pattern.size() == 1) {
    result.value = scalar_type(stm.pattern[0].type.elem);
    result.functor = context.functor_for(op.op, op.commutative, operator_name(op.op, base));
  } else {
    const Context::RecordOperator& record = context.operator_on_records(op.op, op.commutative, base);
    result.value = record.value;
    result.fields = record.fields;
    result.functor = record.functor;
  }
  return result;
}

Stms PartScans::run() {
  return code_.collect([&] {
    code_.assume_nonzero(all_);  // there are no blocks otherwise
    over_part();
    compute();
    for (const Scanned& scanned : scanned_) scan(scanned);
    scans_.totals ? total() : points();
  });
}

/// What all threads know of their part.
void PartScans::over_part() {
  const Expr part = code_.named(scans_.part.base, cast(PrimType::i64, position(Position::block_x)));
  first_ = code_.named(scans_.first.base, part * lit(scans_.points));
  end_ = code_.named("end", runtime::min(first_ + scans_.points, cast(PrimType::i64, all_)));
  count_ = code_.named("count", cast(PrimType::i32, end_ - first_));
  code_.bind(scans_.part, index(part, all_));
  code_.bind(scans_.first, index(first_, all_));
  if (scans_.end) code_.bind(*scans_.end, index(end_, all_));
  for (const std::size_t at : scans_.of_part) code_.stm(nest_.point.body.stms[at]);
  for (Scanned& scanned : scanned_) {
    scanned.start = value_of(scanned, scanned.nest.outs[0].op->neutral);
    if (!scans_.totals) scanned.start = code_.named(scanned.results[0].name.base + "_start", scanned.start);
  }
  for (Scanned& scanned : scanned_) {
    const std::string& base = scanned.results[0].name.base;
    const std::string name = identifiers_.fresh(scans_.totals ? base + "_elements" : base);
    code_.emit(SharedArray{.name = name, .elem = scanned.value, .size = size()});
    scanned.array = var(name, pointer_to(scanned.value));
  }
}

/// The elements. If the part has fewer, what stands behind the last is neutral, or is before no point.
void PartScans::compute() {
  const std::string& name = std::get<Var>(k_.head).name;
  Stms body = code_.collect_loop(false, [&] {
    const Expr element = code_.named(scanned_[0].scan.element.base, first_ + k_);
    Stms there = code_.collect([&] {
      for (const Scanned& scanned : scanned_) {
        code_.bind(scanned.scan.element, index(element, end_));
        const ir::Body& body = scanned.nest.point.body;
        for (std::size_t at = 1; at < body.stms.size(); ++at) code_.stm(body.stms[at]);
        code_.emit(Assign{scanned.array[place(scanned)], value_of(scanned, body.result)});
      }
    });
    Stms beyond;
    for (const Scanned& scanned : scanned_) beyond.push_back(Assign{scanned.array[k_], scanned.start});
    code_.emit(If{k_ < count_, std::move(there), std::move(beyond)});
  });
  code_.emit(Stm(For{.name = name, .type = narrow_number, .from = cast(PrimType::i32, position(Position::thread_x)), .to = size(), .step = runtime::block_size(), .body = std::move(body)})
                 .after_gap());
}

Expr PartScans::value_of(const Scanned& scanned, const std::vector<ir::Atom>& components) {
  std::vector<Expr> values;
  for (const ir::Atom& atom : components) values.push_back(code_.value(atom));
  return values.size() == 1 ? values[0] : construct(scanned.value.name, values);
}

void PartScans::scan(const Scanned& scanned) {
  const Expr op = construct(scanned.functor, {});
  if (!scans_.totals) return code_.emit(Do{runtime::scan_values(scanned.array, scanned.start, op, scanned.scan.inclusive)});
  bind_results(scanned, code_.named(scanned.results[0].name.base, runtime::reduce_values(scanned.array, scanned.start, op)));
}

void PartScans::bind_results(const Scanned& scanned, const Expr& value) {
  if (scanned.results.size() == 1) return code_.bind(scanned.results[0].name, Scalar{value});
  for (std::size_t i = 0; i < scanned.results.size(); ++i) {
    Expr component = field(value, scanned.fields[i], scalar_type(scanned.results[i].type.elem));
    std::get<Field>(component.head).position = i;
    code_.bind(scanned.results[i].name, Scalar{component});
  }
}

void PartScans::points() {
  const std::string& base = nest_.point.params[0].name.base;
  const std::string name = identifiers_.fresh(base);
  const Expr i = var(name, wide_number);
  const ir::Nest rest = without_scans();
  Stms body = code_.collect_loop(false, [&] {
    code_.emit(Let{.name = std::get<Var>(k_.head).name, .type = narrow_number, .value = cast(PrimType::i32, i - first_)});
    for (const Scanned& scanned : scanned_) bind_results(scanned, scanned.array[place(scanned)]);
    Loops(code_, stm_, rest, places_, {index(i, end_)}).run();
  });
  code_.emit(Stm(For{.name = name, .type = wide_number, .from = first_ + position(Position::thread_x), .to = end_, .step = cast(PrimType::i64, runtime::block_size()), .body = std::move(body)})
                 .after_gap());
}

void PartScans::total() {
  const ir::Nest rest = without_scans();
  Stms body = code_.collect([&] { Loops(code_, stm_, rest, places_, {code_.scalar(scans_.part)}).run(); });
  code_.emit(Stm(If{equal(position(Position::thread_x), lit(0, PrimType::u32)), std::move(body)}).after_gap());
}

/// The nest with what is left of its points when all else is known.
ir::Nest PartScans::without_scans() const {
  ir::Nest rest = nest_;
  std::vector<ir::Stm>& stms = rest.point.body.stms;
  std::size_t at = 0;
  std::erase_if(stms, [&](const ir::Stm& stm) {
    const std::size_t here = at++;
    if (stm.pattern.empty()) return false;
    const ir::Name& name = stm.pattern[0].name;
    const bool known = std::find(scans_.of_part.begin(), scans_.of_part.end(), here) != scans_.of_part.end();
    const bool scans = std::any_of(scans_.scans.begin(), scans_.scans.end(), [&](const facts::PartScan& scan) { return scan.at == here; });
    return known || scans || name == scans_.part || name == scans_.first || name == scans_.end;
  });
  return rest;
}

Expr PartScans::place(const Scanned& scanned) const { return scanned.scan.from_end ? count_ - 1 - k_ : k_; }

Scalar PartScans::index(const Expr& value, const Expr& end) const {
  Scalar result{value, {}, indices_below(size_range)};
  result.end = end;
  return result;
}

}  // namespace boustro::plan::planner
