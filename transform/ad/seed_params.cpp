#include "transform/ad/seed_params.hpp"

#include "transform/ir/print.hpp"

namespace boustro::ad {

using namespace ir;

SeedParams::SeedParams(Names& names, const Shape& outside) {
  for (const Atom& size : outside) {
    if (name_in(size)) params.push_back(names.fresh_param("seeds", scalar(PrimType::i64)));
    shape.push_back(name_in(size) ? Atom(params.back().name) : size);
  }
}

std::vector<Atom> SeedParams::arguments(const Shape& outside) {
  std::vector<Atom> result;
  for (const Atom& size : outside)
    if (name_in(size)) result.push_back(size);
  return result;
}

std::string SeedParams::key(const Shape& outside) {
  std::string result = "[";
  for (const Atom& size : outside) result += name_in(size) ? "n]" : to_string(size) + "]";
  return result;
}

}  // namespace boustro::ad
