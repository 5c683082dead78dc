#include "emit/plan/planner/names.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "emit/plan/planner/reserved_names.hpp"

namespace boustro::plan::planner {
namespace {

/// N is a size, but NAN, EOF, M_PI, and any such name of another platform's headers, macros. So names of
/// the program have not only capitals.
bool looks_like_a_macro(const std::string& name) {
  const auto capitals =
      std::count_if(name.begin(), name.end(), [](unsigned char c) { return std::isupper(c); });
  return capitals >= 2 &&
         std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); });
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

namespace {

/// `exp`, of `exp_`, which is so called since `exp` is taken by the language. What has several words is a name of the program.
std::string without_escape(const std::string& identifier) {
  const std::string word = identifier.substr(0, identifier.size() - 1);
  return identifier.ends_with('_') && word.find('_') == std::string::npos && is_reserved(word) ? word : identifier;
}

}  // namespace

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

constexpr std::string_view kept = "_kept";

/// Of the first one that makes a name which is free: neither taken nor, as `sums_block`, one of the runtime.
template <typename Taken>
std::optional<std::string> part_of_one(const std::vector<std::string>& words, const std::string& base, const Taken& taken) {
  for (const std::string& word : words) {
    auto result = part_of(identifier(word), base);
    if (result && !is_reserved(*result) && !taken(*result)) return result;
  }
  return std::nullopt;
}

}  // namespace

template <typename Taken>
std::string Identifiers::distinct(std::string_view name, const Taken& taken) const {
  const std::string base = identifier(name), word = without_escape(base);
  const auto is_of = [&](const std::vector<std::string>& names) { return std::find(names.begin(), names.end(), word) != names.end(); };
  const auto own = [&](const std::string& result) {
    if (others_) (*others_)[result] = {};
    return result;
  };
  if (word != base && origin_ && !is_of(origin_->within.lets))  // forget_exp is better than exp_
    if (const auto result = part_of_one(origin_->within.lets, word, taken)) return own(*result);
  // `xs_kept` would be taken for what is kept of `xs`, if that is something else.
  const bool misleads = word.ends_with(kept) && taken(word.substr(0, word.size() - kept.size()));
  if (misleads && origin_)
    if (const auto result = by_origin(word, taken)) return own(*result);
  if (!taken(base)) return own(base);
  if (origin_) {
    const auto result = by_origin(word, taken);
    if (result && others_) others_->emplace(*result, Other{.rather = {base}, .says_whose = true});
    if (result) return *result;
  }
  return another(base, taken);
}

template <typename Taken>
std::optional<std::string> Identifiers::by_origin(const std::string& base, const Taken& taken) const {
  const auto& [lets, functions] = origin_->within;
  for (const auto* words : {&lets, &functions})
    if (auto result = part_of_one(*words, base, taken)) return result;
  // `matmul_row_x`, of what `let row = ..` of `matmul` binds.
  for (const std::string& let : lets)
    if (const auto inner = part_of(identifier(let), base))
      if (auto result = part_of_one(functions, *inner, taken)) return result;
  return std::nullopt;
}

template <typename Taken>
std::string Identifiers::another(const std::string& base, const Taken& taken) const {
  std::vector<std::string> better{base};
  const auto note = [&](const std::string& result) {
    if (others_) others_->emplace(result, Other{better});
    return result;
  };
  const bool is_type = std::isupper(static_cast<unsigned char>(base[0]));
  std::vector<std::string> words{is_type ? "Other" + base : "other_" + base, is_type ? "Another" + base : "another_" + base};
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
