#include "emit/plan/planner/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "emit/plan/planner/global_names.hpp"
#include "templates/embedded.hpp"

namespace boustro::plan::planner {
namespace {

/// Keywords of C++20, then names that the standard library and CUDA put into every scope, then
/// names of the runtime.
constexpr std::array reserved{"alignas",
                              "alignof",
                              "and",
                              "and_eq",
                              "asm",
                              "auto",
                              "bitand",
                              "bitor",
                              "bool",
                              "break",
                              "case",
                              "catch",
                              "char",
                              "char16_t",
                              "char32_t",
                              "char8_t",
                              "class",
                              "co_await",
                              "co_return",
                              "co_yield",
                              "compl",
                              "concept",
                              "const",
                              "const_cast",
                              "consteval",
                              "constexpr",
                              "constinit",
                              "continue",
                              "decltype",
                              "default",
                              "delete",
                              "do",
                              "double",
                              "dynamic_cast",
                              "else",
                              "enum",
                              "explicit",
                              "export",
                              "extern",
                              "false",
                              "final",
                              "float",
                              "for",
                              "friend",
                              "goto",
                              "if",
                              "inline",
                              "int",
                              "long",
                              "mutable",
                              "namespace",
                              "new",
                              "noexcept",
                              "not",
                              "not_eq",
                              "nullptr",
                              "operator",
                              "or",
                              "or_eq",
                              "override",
                              "private",
                              "protected",
                              "public",
                              "register",
                              "reinterpret_cast",
                              "requires",
                              "return",
                              "short",
                              "signed",
                              "sizeof",
                              "static",
                              "static_assert",
                              "static_cast",
                              "struct",
                              "switch",
                              "template",
                              "this",
                              "thread_local",
                              "throw",
                              "true",
                              "try",
                              "typedef",
                              "typeid",
                              "typename",
                              "union",
                              "unsigned",
                              "using",
                              "virtual",
                              "void",
                              "volatile",
                              "wchar_t",
                              "while",
                              "xor",
                              "xor_eq",

                              "abs",
                              "acos",
                              "acosh",
                              "asin",
                              "asinh",
                              "atan",
                              "atan2",
                              "atanh",
                              "cbrt",
                              "ceil",
                              "copysign",
                              "cos",
                              "cosh",
                              "cub",
                              "div",
                              "erf",
                              "erfc",
                              "errno",
                              "exp",
                              "exp10",
                              "exp2",
                              "expm1",
                              "floor",
                              "fma",
                              "fmax",
                              "fmin",
                              "fmod",
                              "gamma",
                              "hypot",
                              "index",
                              "int16_t",
                              "int32_t",
                              "int64_t",
                              "int8_t",
                              "isinf",
                              "isnan",
                              "j0",
                              "j1",
                              "jn",
                              "ldexp",
                              "lgamma",
                              "log",
                              "log10",
                              "log1p",
                              "log2",
                              "main",
                              "max",
                              "min",
                              "nextafter",
                              "pow",
                              "printf",
                              "rand",
                              "remainder",
                              "rint",
                              "round",
                              "rsqrt",
                              "signbit",
                              "sin",
                              "sinh",
                              "sqrt",
                              "std",
                              "tan",
                              "tanh",
                              "tgamma",
                              "thrust",
                              "time",
                              "trunc",
                              "uint16_t",
                              "uint32_t",
                              "uint64_t",
                              "uint8_t",
                              "y0",
                              "y1",
                              "yn",
                              "blockDim",
                              "blockIdx",
                              "clock",
                              "dim3",
                              "gridDim",
                              "half",
                              "harness",
                              "threadIdx",
                              "warpSize",
                              "assert",
                              "signal",
                              "stderr",
                              "stdin",
                              "stdout",
                              "unix",
                              "linux",

                              "block_shape",
                              "block_size",
                              "blocks_for",
                              "buffers",
                              "bytes",
                              "check_index",
                              "error",
                              "failure",
                              "grid_shape",
                              "grid_size",
                              "failure_found",
                              "failure_text",
                              "input_iterator",
                              "library_buffer",
                              "library_bytes",
                              "library_scratch",
                              "memory",
                              "needed",
                              "output_iterator",
                              "query_library",
                              "ask",
                              "first_error",
                              "status",
                              "Status",
                              "add_products",
                              "begin_of_part",
                              "for_lanes",
                              "load_lanes",
                              "store_lanes",
                              "Lanes",
                              "lane",
                              "lanes",
                              "least_part_work",
                              "max_grid_height",
                              "max_int_size",
                              "max_lanes",
                              "max_parts",
                              "max_room",
                              "max_shared_bytes",
                              "max_threads",
                              "most_parts",
                              "parts_for",
                              "small_parts_for",
                              "row_threads_for",
                              "sort_by_bits",
                              "sum_threads_for",
                              "results_for",
                              "copies_for",
                              "rows_per_copy",
                              "copies_pay",
                              "combine_row",
                              "combine_column",
                              "scan_before",
                              "scan_up_to",
                              "reduce_all",
                              "scratch",
                              "scratch_bytes",
                              "shared_bytes",
                              "stored_by",
                              "stream",
                              "thread",
                              "threads",
                              "Allocator",
                              "Buffer",
                              "DefaultAllocator",
                              "Failure",
                              "MatrixTile",
                              "Order",
                              "Scratch",
                              "StoredBy",
                              "Summands",
                              "SummandsFromColumn",
                              "SummandsUpToColumn",
                              "ThreadTile",
                              "TileOperand",
                              "WarpPeers"};

/// N is a size, but NAN, EOF, M_PI, and any such name of another platform's headers, macros. So names of
/// the program have not only capitals.
bool looks_like_a_macro(const std::string& name) {
  const auto capitals =
      std::count_if(name.begin(), name.end(), [](unsigned char c) { return std::isupper(c); });
  return capitals >= 2 &&
         std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); });
}

bool is_reserved(const std::string& name) {
  // A function of the program that is called like a template would hide it, or be hidden by it.
  return name.rfind("cuda", 0) == 0 ||
         std::find(reserved.begin(), reserved.end(), name) != reserved.end() || is_macro(name) ||
         templates::find(name, templates::Language::cuda) != nullptr;
}

/// As they are read aloud.
std::string with_primes(std::ptrdiff_t count) {
  if (count > 2) return std::to_string(count) + "_primes";
  return count == 2 ? "double_prime" : "prime";
}

}  // namespace

std::string identifier(std::string_view name) {
  const std::ptrdiff_t primes = std::count(name.begin(), name.end(), '\'');
  std::string result;
  for (const char c : name) {
    if (c == '\'') continue;
    const bool word = std::isalnum(static_cast<unsigned char>(c));
    // Two underscores in a row are the implementation's.
    if (word || result.empty() || result.back() != '_') result += word ? c : '_';
  }
  // So are names that begin with an underscore; here every one is moved away.
  if (result.starts_with('_')) result = result.size() == 1 ? "ignored" : result.substr(1);
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "v" + result;
  if (looks_like_a_macro(result)) {
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return std::tolower(c); });
  }
  if (primes > 0) result += (result.back() == '_' ? "" : "_") + with_primes(primes);
  if (is_reserved(result)) result += '_';
  return result;
}

std::string type_name(std::string_view identifier) {
  std::string result;
  bool upper = true;
  for (const char c : identifier) {
    if (c == '_') {
      upper = true;
    } else {
      result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      upper = false;
    }
  }
  return result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) ? "T" + result
                                                                               : result;
}

std::optional<std::string> part_of(const std::string& word, const std::string& base) {
  if (std::isupper(static_cast<unsigned char>(base[0]))) return base.starts_with(type_name(word)) ? std::nullopt : std::optional(type_name(word) + base);
  if (base == word || base.starts_with(word + "_")) return std::nullopt;
  if (word.ends_with("_" + base)) return word;
  return word + "_" + base;
}

namespace {

/// Of the first one that makes a name which is not taken.
template <typename Taken>
std::optional<std::string> part_of_one(const std::vector<std::string>& words, const std::string& base, const Taken& taken) {
  for (const std::string& word : words) {
    auto result = part_of(identifier(word), base);
    if (result && !taken(*result)) return result;
  }
  return std::nullopt;
}

}  // namespace

template <typename Taken>
std::string Identifiers::distinct(std::string_view name, const Taken& taken) const {
  const std::string base = identifier(name);
  if (!taken(base)) return base;
  if (origin_) {
    const auto& [lets, functions] = origin_->within;
    for (const auto* words : {&lets, &functions})
      if (const auto result = part_of_one(*words, base, taken)) return *result;
    // `matmul_row_x`, of what `let row = ..` of `matmul` binds.
    for (const std::string& let : lets)
      if (const auto inner = part_of(identifier(let), base))
        if (const auto result = part_of_one(functions, *inner, taken)) return *result;
  }
  return another(base, taken);
}

template <typename Taken>
std::string Identifiers::another(const std::string& base, const Taken& taken) const {
  std::vector<std::string> better{base};
  const auto note = [&](const std::string& result) {
    if (others_) others_->emplace(result, better);
    return result;
  };
  const bool is_type = std::isupper(static_cast<unsigned char>(base[0]));
  std::vector<std::string> words{is_type ? "Other" + base : "other_" + base};
  if (!is_type && origin_ && origin_->sweep == ir::Sweep::reverse && !base.ends_with("_adj")) words.insert(words.begin(), base + "_again");
  for (std::string& word : words) {
    if (!taken(word)) return note(word);
    better.push_back(std::move(word));
  }
  for (int number = 2;; ++number)
    if (const std::string result = with_number(base, number); !taken(result)) return note(result);
}

std::string with_number(const std::string& base, int number) { return base + (base.back() == '_' ? "" : "_") + std::to_string(number); }

std::string Identifiers::fresh(std::string_view name) {
  if (outermost_moves_ && levels_.size() == 1) return fresh_outside(name);
  const std::string result = distinct(name, [&](const std::string& text) { return taken(text); });
  levels_.back().insert(result);
  all_.insert(result);
  return result;
}

std::string Identifiers::fresh_outside(std::string_view name) {
  const std::string result =
      distinct(name, [&](const std::string& text) { return taken(text) || all_.contains(text); });
  levels_.front().insert(result);
  all_.insert(result);
  return result;
}

std::string Identifiers::letter_for(std::string_view base, const std::set<std::string>& others) const {
  std::string letter(base);
  for (const char* other : {"j", "l", "t", "s", "u"})
    if (letter.size() == 1 && (taken(letter) || others.contains(letter))) letter = other;
  return letter;
}

bool Identifiers::taken(const std::string& identifier) const {
  return std::any_of(levels_.begin(), levels_.end(),
                     [&](const auto& level) { return level.contains(identifier); });
}

}  // namespace boustro::plan::planner
