#include "transform/lower/sums.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/lower/context.hpp"

namespace boustro::lower {

SumLayout layout_of(const SumType& type) {
  SumLayout layout;
  for (const ConstructorType& constructor : type.constructors) {
    std::vector<int> mine;
    for (const Type& payload : constructor.payload) {
      for (const Leaf& leaf : leaves_of(payload)) {
        int slot = 0;
        const int count = static_cast<int>(layout.slots.size());
        const auto is_free = [&](int i) {
          const Leaf& other = layout.slots[static_cast<std::size_t>(i)];
          return leaf.shape.empty() && other.shape.empty() && other.elem == leaf.elem &&
                 std::find(mine.begin(), mine.end(), i) == mine.end();
        };
        while (slot < count && !is_free(slot)) ++slot;
        if (slot == count) layout.slots.push_back(leaf);
        mine.push_back(slot);
      }
    }
    layout.slots_of.push_back(std::move(mine));
  }
  return layout;
}

int constructor_index(const SumType& type, std::string_view name) {
  const auto& all = type.constructors;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ConstructorType& c) { return c.name == name; });
  source::internal_check(found != all.end(), "lower: a sum type lacks a constructor");
  return static_cast<int>(found - all.begin());
}

std::vector<Value> payload_of(const DynamicSum& sum, int constructor) {
  const auto which = static_cast<std::size_t>(constructor);
  const SumLayout layout = layout_of(sum.type);
  std::size_t next = 0;
  std::vector<Value> result;
  for (const Type& type : sum.type.constructors.at(which).payload) {
    std::vector<Atom> mine;
    for (std::size_t i = 0; i < leaves_of(type).size(); ++i) {
      const int slot = layout.slots_of.at(which).at(next++);
      mine.push_back(sum.slots.at(static_cast<std::size_t>(slot)));
    }
    result.push_back(from_leaves(type, mine));
  }
  return result;
}

Atom tag_atom(int constructor) { return PrimValue::of_int(tag_type, constructor); }

namespace {

Atom blank(Context& context, const Leaf& leaf) {
  const Atom zero = PrimValue::zero(leaf.elem);
  if (leaf.shape.empty()) return zero;
  ir::Shape shape;
  for (const Size& size : leaf.shape) shape.push_back(size.value_or(ir::int_atom(0)));
  return context.emit("blank", ir::Replicate{std::move(shape), zero});
}

Value make_dynamic(Context& context, const KnownSum& sum) {
  const SumLayout layout = layout_of(sum.type);
  std::vector<std::optional<Atom>> slots(layout.slots.size());
  std::size_t next = 0;
  for (const Value& value : sum.payload) {
    for (const Atom& leaf : leaves(lower::make_dynamic(context, value))) {
      const int slot = layout.slots_of.at(static_cast<std::size_t>(sum.constructor)).at(next++);
      slots.at(static_cast<std::size_t>(slot)) = leaf;
    }
  }
  DynamicSum result{sum.type, tag_atom(sum.constructor), {}};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    result.slots.push_back(slots[i] ? *slots[i] : blank(context, layout.slots[i]));
  }
  return {std::move(result)};
}

}  // namespace

Value make_dynamic(Context& context, const Value& value) {
  return ir::match(
      value.node,  //
      [&](const KnownSum& sum) { return make_dynamic(context, sum); },
      [&](const RecordValue& record) {
        RecordValue result;
        for (const FieldValue& f : record.fields) {
          result.fields.push_back({f.name, make_dynamic(context, f.value)});
        }
        return Value{std::move(result)};
      },
      [&](const ClosureRef&) -> Value {
        source::refuse(source::Message::lower_function_as_data, context.at());
      },
      [&](const auto&) { return value; });
}

}  // namespace boustro::lower
