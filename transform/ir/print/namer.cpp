#include "transform/ir/print/namer.hpp"

#include <cctype>

#include "transform/ir/print.hpp"

namespace boustro::ir::printing {
namespace {

const std::unordered_set<std::string>& reserved() {
  static const std::unordered_set<std::string> words = {
      // keywords
      "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in",
      "include", "let", "local", "loop", "match", "module", "open", "then", "true", "type", "val",
      "while", "with",
      // modules and functions that printed programs use
      "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool", "core",
      "intrinsics", "iota", "replicate", "copy", "concat", "transpose", "flatten", "flatten_3d",
      "flatten_4d", "unflatten", "unflatten_3d", "unflatten_4d", "zip", "zip3", "zip4", "zip5",
      "unzip", "unzip3", "unzip4", "unzip5", "map", "map2", "map3", "map4", "map5", "reduce",
      "reduce_comm", "scan", "reduce_by_index", "reduce_by_index_2d", "reduce_by_index_3d",
      "scatter", "scatter_2d", "scatter_3d", "jvp2", "vjp2", "jmp2", "mjp2", "with_vjp"};
  return words;
}

bool may_stand_in_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
}

}  // namespace

std::string mended(const std::string& base) {
  std::string text;
  for (const char c : base) text += may_stand_in_identifier(c) ? c : '_';
  const bool starts_well = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
  if (!starts_well) text = "x" + text;
  if (reserved().contains(text)) text += '_';
  return text;
}

Namer::Namer(const std::vector<Name>& names, const std::unordered_set<std::string>& taken)
    : used_(taken) {
  // The first of several keeps its name as it is: parameters stand first, and are what people know.
  for (const Name& name : names) {
    if (!spelling_.contains(name)) spelling_.emplace(name, fresh(mended(name.base)));
  }
}

std::string Namer::spell(const Name& name) const {
  const auto found = spelling_.find(name);
  return found == spelling_.end() ? to_string(name) : found->second;
}

std::string Namer::fresh(const std::string& base) {
  if (used_.insert(base).second) return base;
  for (int number = 1;; ++number) {
    std::string candidate = base + "_" + std::to_string(number);
    if (used_.insert(candidate).second) return candidate;
  }
}

}  // namespace boustro::ir::printing
