#include "frontend/check/intrinsics.hpp"

#include <array>
#include <string>
#include <unordered_map>

namespace boustro::check {
namespace {

struct Entry {
  std::string_view name;
  TypeClass type_class;
  std::string_view type;
};

constexpr Entry entries[] = {
#define INTRINSIC(name, type_class, type) {#name, TypeClass::type_class, type},
#include "frontend/check/intrinsics.def"
#undef INTRINSIC
};

const Entry& entry(Intrinsic intrinsic) { return entries[static_cast<std::size_t>(intrinsic)]; }

// Ids -2, -3, ...: -1 is no name at all.
constexpr int first_id = -2;

}  // namespace

std::string_view name_of(Intrinsic intrinsic) { return entry(intrinsic).name; }
TypeClass class_of(Intrinsic intrinsic) { return entry(intrinsic).type_class; }
std::string_view type_text_of(Intrinsic intrinsic) { return entry(intrinsic).type; }

std::optional<Intrinsic> intrinsic_named(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, Intrinsic> result;
    for (std::size_t i = 0; i < std::size(entries); ++i)
      result.emplace(entries[i].name, static_cast<Intrinsic>(i));
    return result;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) return std::nullopt;
  return found->second;
}

std::optional<Intrinsic> intrinsic_of_operator(std::string_view symbol) {
  static const std::unordered_map<std::string_view, Intrinsic> by_symbol = {
      {"+", Intrinsic::add},      {"-", Intrinsic::sub},     {"*", Intrinsic::mul},
      {"/", Intrinsic::div},      {"%", Intrinsic::mod},     {"//", Intrinsic::quot},
      {"%%", Intrinsic::rem},     {"**", Intrinsic::pow},    {"&", Intrinsic::bit_and},
      {"|", Intrinsic::bit_or},   {"^", Intrinsic::bit_xor}, {"<<", Intrinsic::shl},
      {">>", Intrinsic::shr},     {">>>", Intrinsic::ushr},  {"==", Intrinsic::eq},
      {"!=", Intrinsic::ne},      {"<", Intrinsic::lt},      {"<=", Intrinsic::le},
      {">", Intrinsic::gt},       {">=", Intrinsic::ge},
  };
  const auto found = by_symbol.find(symbol);
  if (found == by_symbol.end()) return std::nullopt;
  return found->second;
}

Name intrinsic_name(Intrinsic intrinsic) {
  return {std::string(name_of(intrinsic)), first_id - static_cast<int>(intrinsic)};
}

Intrinsic intrinsic_of(const Name& name) {
  return static_cast<Intrinsic>(first_id - name.id);
}

int arity_of(Intrinsic intrinsic) {
  // The arrows of the type that are in no parentheses.
  const std::string_view type = type_text_of(intrinsic);
  int arity = 0, depth = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (type[i] == '(') ++depth;
    if (type[i] == ')') --depth;
    if (depth == 0 && type.substr(i, 2) == "->") ++arity;
  }
  return arity;
}

}  // namespace boustro::check
