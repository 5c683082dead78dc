// Making, reshaping, indexing and updating arrays.
#include <algorithm>
#include <numeric>

#include "transform/ir/verify/types.hpp"

namespace boustro::ir::verification {

void TypeChecker::check(const ArrayLiteral& e, const Stm&) {
  check_sizes(e.row);
  if (e.row.accumulator) report_.add("an accumulator is stored in an array");
  for (const Atom& element : e.elements) expect(element, e.row, "an element");
}

void TypeChecker::check(const Iota& e, const Stm&) { expect_size(e.width); }

void TypeChecker::check(const Replicate& e, const Stm&) {
  for (const Atom& size : e.shape) expect_size(size);
  if (in_scope(e.value) && names_.type_of(e.value).accumulator) {
    report_.add("an accumulator is stored in an array");
  }
}

void TypeChecker::check(const Scratch& e, const Stm&) {
  for (const Atom& size : e.shape) expect_size(size);
}

void TypeChecker::check(const Copy& e, const Stm&) { expect_array(e.array); }

void TypeChecker::check(const Sort& e, const Stm&) {
  expect(e.first_bit, scalar(PrimType::i64), "the first bit");
  expect(e.end_bit, scalar(PrimType::i64), "the bit behind the last one");
  if (!expect_array(e.array)) return;
  const Type& type = names_.type_of(e.array);
  if (type.elem != PrimType::i64 || type.rank() != 1) report_.add("{} is not a row of i64", to_string(e.array));
}

void TypeChecker::check(const Concat& e, const Stm&) {
  expect_size(e.width);
  if (e.arrays.empty()) return report_.add("nothing is concatenated");
  for (const Name& name : e.arrays) {
    if (!expect_array(name) || !expect_array(e.arrays[0])) return;
    if (row_type(names_.type_of(name)) != row_type(names_.type_of(e.arrays[0]))) {
      report_.add("{} has rows of another type than {}", to_string(name), to_string(e.arrays[0]));
    }
  }
}

void TypeChecker::check(const Rearrange& e, const Stm&) {
  if (!expect_array(e.array)) return;
  std::vector<int> sorted = e.permutation;
  std::vector<int> all(static_cast<std::size_t>(names_.type_of(e.array).rank()));
  std::iota(all.begin(), all.end(), 0);
  std::sort(sorted.begin(), sorted.end());
  if (sorted != all) report_.add("({}) does not permute the dimensions", fmt::join(e.permutation, ", "));
}

void TypeChecker::check(const Reshape& e, const Stm&) {
  expect_array(e.array);
  for (const Atom& size : e.shape) expect_size(size);
  if (e.shape.empty()) report_.add("an array is reshaped to a scalar");
}

void TypeChecker::check(const Coerce& e, const Stm&) {
  for (const Atom& size : e.shape) expect_size(size);
  if (expect_array(e.array) && names_.type_of(e.array).shape.size() != e.shape.size()) {
    report_.add("{} is coerced to another rank", to_string(e.array));
  }
}

void TypeChecker::check(const Index& e, const Stm&) {
  if (expect_array(e.array)) expect_indices(e.indices, names_.type_of(e.array));
}

void TypeChecker::check(const Update& e, const Stm&) {
  if (!expect_array(e.array)) return;
  const std::size_t before = report_.violations.size();
  expect_indices(e.indices, names_.type_of(e.array));
  if (report_.violations.size() != before) return;
  const Type part = names_.types_of(Index{e.array, e.indices, e.checked}).at(0);
  expect(e.value, part, "the value that is written");
}

}  // namespace boustro::ir::verification
