#include "transform/lower/abstraction.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace boustro::lower {
namespace {

std::size_t place_of(const Atom& atom, const std::vector<Atom>& list) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), atom) - list.begin());
}

}  // namespace

Atom CollectSizes::on_size(const Atom& atom) {
  sizes.insert(atom);
  return atom;
}

Atom CollectSizes::on_atom(const Atom& atom) {
  if (const ir::Name* name = ir::name_in(atom)) {
    for (const Atom& size : context.names.type_of(*name).shape) sizes.insert(size);
  }
  return atom;
}

Atom AbstractArguments::on_size(const Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  if (!name) {
    key += fmt::format("{} ", ir::literal_in(atom)->as_int());
    return atom;
  }
  const std::size_t i = place_of(atom, size_args);
  key += fmt::format("s{} ", i);
  if (i == size_args.size()) {
    size_params.push_back(
        context.names.fresh_param(context.called(*name), ir::scalar(PrimType::i64)));
    size_args.push_back(atom);
  }
  return size_params[i].name;
}

Atom AbstractArguments::on_atom(const Atom& atom) {
  if (sizes_.contains(atom)) return on_size(atom);
  const ir::Name* name = ir::name_in(atom);
  if (!name && closures > 0) {
    key += values::to_string(*ir::literal_in(atom)) + ' ';
    return atom;
  }
  ir::Type type = context.names.type_of(atom);
  if (type.accumulator) key += "acc ";
  key += values::name_of(type.elem);
  key += ' ';
  for (Atom& size : type.shape) size = on_size(size);
  params.push_back(context.names.fresh_param(name ? context.called(*name) : "x", type));
  args.push_back(atom);
  return params.back().name;
}

Atom AbstractResult::on_size(const Atom& atom) {
  if (!ir::name_in(atom) || params_.contains(atom)) return atom;
  const std::size_t i = place_of(atom, sizes);
  if (i == sizes.size()) {
    const std::string base = context.called(*ir::name_in(atom));
    size_results.push_back(context.names.fresh_param(base, ir::scalar(PrimType::i64)));
    sizes.push_back(atom);
  }
  return size_results[i].name;
}

Atom AbstractResult::on_atom(const Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  if (!name && closures > 0) return atom;
  ir::Type type = context.names.type_of(atom);
  for (Atom& size : type.shape) size = on_size(size);
  results.push_back(context.names.fresh_param(name ? context.called(*name) : "result", type));
  atoms.push_back(atom);
  return results.back().name;
}

Atom Substitute::on_atom(const Atom& atom) {
  const ir::Name* name = ir::name_in(atom);
  const auto found = name ? substitution_.find(*name) : substitution_.end();
  return found == substitution_.end() ? atom : found->second;
}

}  // namespace boustro::lower
