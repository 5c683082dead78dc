// Sorts: at the host's level a call of CUB, in other C++ a function of the runtime.
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/layout.hpp"

namespace boustro::plan::planner {

void Host::sort(const ir::Stm& stm, const ir::Sort& e) {
  View from = code_.view(e.array);
  if (!lies_dense(from, context_.tables)) from = in_memory(from, e.array.base, &stm);
  const View there = place(stm.pattern[0]);
  const std::string base = stm.pattern[0].name.base;
  const View to = lies_dense(there, context_.tables) ? there : allocate_array(context_, identifiers_, code_, base, there.elem, there.extents);

  Identifiers names = context_.file_names;
  Capture params(context_, names);
  const Expr size = from.extents[0].expr;
  params.keep_wide(size);
  Library library{.name = context_.file_name("sort_" + base), .comment = comment_for(context_, &stm), .kind = LibraryKind::sort};
  library.comment.order = "those with equal bits keep their order";
  library.output = {start_of(params.written(to, base)), type(PrimType::i64)};
  library.input = {start_of(std::get<View>(params.import(Value(from), e.array.base))), type(PrimType::i64)};
  library.count = is_simple(size) ? params.import(size, "n") : params.add("count", type(PrimType::i64), Access::value, size);
  const auto bit = [&](const char* name, const ir::Atom& atom) { return params.add(name, type(PrimType::i32), Access::value, cast(PrimType::i32, fetch(atom).expr)); };
  library.bits = {bit("first_bit", e.first_bit), bit("end_bit", e.end_bit)};
  library.params = params.params();
  for (Param& param : library.params) param.type.restricted = false;

  // Memory is asked for as if all bits counted.
  const Expr most = context_.bound_here(from.extents[0]);
  std::vector<Expr> query{null_pointer(library.params[0].type), null_pointer(library.params[1].type)};
  if (!int_value(library.count)) query.push_back(most);
  query.insert(query.end(), {lit(0, PrimType::i32), lit(64, PrimType::i32)});
  code_.emit(context_.library_call(library, params.args(), std::move(query), most));
  if (!same_memory(to, there)) copy(there, to, base, &stm, "sorted elsewhere, since they are stored apart");
  code_.bind(stm.pattern[0].name, there);
}

/// Sorts of threads have become loops before.
void Code::sort(const ir::Stm& stm, const ir::Sort& e) {
  View from = view(e.array);
  if (!lies_dense(from, context_.tables)) from = in_memory(from, e.array.base);
  const View there = place(stm.pattern[0]);
  const View to = lies_dense(there, context_.tables) ? there : temporary(stm.pattern[0].name.base, there.elem, there.extents);
  const View other = temporary(e.array.base, from.elem, from.extents);
  emit(Do{runtime::sort_by_bits(start_of(to), start_of(from), start_of(other), from.extents[0].expr, value(e.first_bit), value(e.end_bit))});
  if (!same_memory(to, there)) copy(there, to);
  bind(stm.pattern[0].name, there);
}

}  // namespace boustro::plan::planner
