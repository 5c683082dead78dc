#include "frontend/values/read_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <boost/spirit/home/x3.hpp>

#include "frontend/values/read.hpp"

namespace boustro::values {
namespace {

namespace x3 = boost::spirit::x3;

/// Puts an array together from its elements in the order of reading, and checks that it is regular.
class ArrayBuilder {
 public:
  void open() {
    check_depth();
    counts_.push_back(0);
  }

  /// Of the elements so far.
  std::optional<PrimType> type() const {
    return has_type_ ? std::optional(result_.type) : std::nullopt;
  }

  void close() {
    const std::size_t depth = counts_.size() - 1;  // dimension that ends here
    set_size(depth, counts_.back());
    counts_.pop_back();
    if (!counts_.empty()) ++counts_.back();
  }

  void scalar(PrimValue value, double last_digit) {
    last_digits.push_back(last_digit);
    add_leaf(value.type, {});
    const std::size_t old = result_.data.size();
    result_.data.resize(old + static_cast<std::size_t>(byte_size(value.type)));
    std::memcpy(result_.data.data() + old, &value.bits,
                static_cast<std::size_t>(byte_size(value.type)));
  }

  /// A string or `empty(..)` as an element or on its own.
  void array(const Value& value) {
    last_digits.resize(last_digits.size() + static_cast<std::size_t>(value.size()), 0);
    add_leaf(value.type, value.shape);
    result_.data.insert(result_.data.end(), value.data.begin(), value.data.end());
  }

  std::vector<double> last_digits;  // of the elements so far

  Value finish() {
    if (!has_type_) throw ReadError("array `[]` has no element type; write `empty([0]i32)`", 0);
    for (const auto& size : sizes_) result_.shape.push_back(size);
    return std::move(result_);
  }

 private:
  void check_depth() const {
    if (counts_.size() >= 64) throw ReadError("value is nested deeper than 64 arrays", 0);
  }

  void set_size(std::size_t depth, std::int64_t size) {
    if (sizes_.size() <= depth) sizes_.resize(depth + 1, -1);
    if (sizes_[depth] == -1) sizes_[depth] = size;
    if (sizes_[depth] != size) throw ReadError("array is not regular: its rows differ in size", 0);
  }

  void add_leaf(PrimType type, const std::vector<std::int64_t>& shape) {
    const std::size_t rank = counts_.size() + shape.size();
    if (has_type_ && (type != result_.type || rank != rank_)) {
      throw ReadError("elements of an array differ in type", 0);
    }
    has_type_ = true;
    rank_ = rank;
    result_.type = type;
    for (std::size_t i = 0; i < shape.size(); ++i) set_size(counts_.size() + i, shape[i]);
    if (!counts_.empty()) ++counts_.back();
  }

  Value result_;
  bool has_type_ = false;
  std::size_t rank_ = 0;
  std::vector<std::int64_t> counts_;  // elements so far in each open array, outermost first
  std::vector<std::int64_t> sizes_;   // of each dimension; -1: not known yet
};

// ---- Scalars

/// A number beyond the type's range wraps around, as the language's own test data expects.
std::optional<PrimValue> parse_integer(std::string_view digits, bool negative, PrimType type) {
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
  if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
  if (base != 10) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), magnitude, base);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return PrimValue::of_int(type, static_cast<std::int64_t>(negative ? -magnitude : magnitude));
}

std::optional<PrimValue> parse_float(std::string_view digits, bool negative, PrimType type) {
  double value = 0;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (hex) digits.remove_prefix(2);
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  if (type == PrimType::f32) {  // not through double, which would round twice
    float single = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), single, format);
    if (error == std::errc::invalid_argument || end != digits.end()) return std::nullopt;
    value = single;
  } else {
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value, format);
    if (error == std::errc::invalid_argument || end != digits.end()) return std::nullopt;
  }
  return PrimValue::of_float(type, negative ? -value : value);
}

/// `nan` and `inf` with their type in front: `f32.nan`.
std::optional<PrimValue> parse_special(std::string_view token, bool negative) {
  if (token.size() != 7 || token[3] != '.') return std::nullopt;
  const auto type = prim_type_named(token.substr(0, 3));
  if (!type || !is_float(*type)) return std::nullopt;
  const double sign = negative ? -1 : 1;
  if (token.ends_with("nan")) return PrimValue::of_float(*type, std::copysign(std::nan(""), sign));
  if (token.ends_with("inf"))
    return PrimValue::of_float(*type, sign * std::numeric_limits<double>::infinity());
  return std::nullopt;
}

/// Takes a type name off the end of the token.
std::optional<PrimType> take_suffix(std::string& token) {
  for (const std::size_t length : {2, 3}) {
    if (token.size() <= length) break;
    const auto type = prim_type_named(std::string_view(token).substr(token.size() - length));
    if (type && *type != PrimType::boolean) {
      token.resize(token.size() - length);
      return type;
    }
  }
  return std::nullopt;
}

/// A number without a suffix is of the type of the elements before it, if it can be.
PrimType type_without_suffix(bool fractional, std::optional<PrimType> before) {
  if (before && is_float(*before)) return *before;
  if (before && is_integer(*before) && !fractional) return *before;
  return fractional ? PrimType::f64 : PrimType::i32;
}

std::optional<PrimValue> parse_scalar(std::string token, std::optional<PrimType> before) {
  if (token == "true") return PrimValue::of_bool(true);
  if (token == "false") return PrimValue::of_bool(false);
  const bool negative = token.starts_with('-');
  if (negative || token.starts_with('+')) token.erase(0, 1);
  if (const auto special = parse_special(token, negative)) return special;
  if (token.empty() || token[0] < '0' || token[0] > '9') return std::nullopt;

  const auto suffix = take_suffix(token);
  std::erase(token, '_');
  const bool hex = token.starts_with("0x") || token.starts_with("0X");
  const bool fractional = token.find_first_of(hex ? ".pP" : ".eE") != token.npos;
  const PrimType type = suffix ? *suffix : type_without_suffix(fractional, before);
  if (!is_float(type)) return fractional ? std::nullopt : parse_integer(token, negative, type);
  return parse_float(token, negative, type);
}

/// A unit of the last digit of `1.41421f32`, `0.000086` or `3.14159e-7`: the number that was meant is
/// as near as that, whether it was rounded or cut off. 0 for less than five digits, which are rather
/// the number itself.
double last_digit_of(const std::string& token) {
  const std::size_t point = token.find('.');
  if (point == token.npos || token.find_first_of("xX") != token.npos) return 0;
  int digits = 0, fraction = 0;
  std::size_t at = token.find_first_of("123456789");
  for (; at < token.size() && (std::isdigit(token[at]) || token[at] == '.' || token[at] == '_');
       ++at)
    digits += std::isdigit(token[at]) ? 1 : 0;
  for (at = point + 1; at < token.size() && std::isdigit(token[at]); ++at) ++fraction;
  int exponent = 0;
  if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    const std::size_t sign = token[at + 1] == '+' ? 1 : 0;
    std::from_chars(token.data() + at + 1 + sign, token.data() + token.size(), exponent);
  }
  return std::max(digits, fraction) < 5 ? 0 : std::pow(10.0, exponent - fraction);
}

// ---- Grammar

std::string with_escapes_replaced(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      bytes += text[i];
      continue;
    }
    switch (const char c = text[++i]) {
      case 'n':
        bytes += '\n';
        break;
      case 't':
        bytes += '\t';
        break;
      case 'r':
        bytes += '\r';
        break;
      case '0':
        bytes += '\0';
        break;
      default:
        bytes += c;
    }
  }
  return bytes;
}

Value string_value(std::string_view quoted) {
  const std::string bytes = with_escapes_replaced(quoted.substr(1, quoted.size() - 2));
  Value value = Value::zeros(PrimType::u8, {static_cast<std::int64_t>(bytes.size())});
  if (!bytes.empty()) std::memcpy(value.data.data(), bytes.data(), bytes.size());
  return value;
}

struct BuilderTag;  // the builder is passed down to the semantic actions under this name
auto builder = [](auto& context) -> ArrayBuilder& { return x3::get<BuilderTag>(context); };
std::string as_string(const auto& range) { return std::string(range.begin(), range.end()); }

const auto on_open = [](auto& context) { builder(context).open(); };
const auto on_close = [](auto& context) { builder(context).close(); };
const auto on_string = [](auto& context) {
  builder(context).array(string_value(as_string(x3::_attr(context))));
};
const auto on_scalar = [](auto& context) {
  const std::string token = as_string(x3::_attr(context));
  const auto value = parse_scalar(token, builder(context).type());
  if (!value)
    throw ReadError(fmt::format("`{}` is no value, or out of the range of 64 bits", token), 0);
  builder(context).scalar(*value, last_digit_of(token));
};
const auto on_empty = [](auto& context) {
  const auto& sizes = boost::fusion::at_c<0>(x3::_attr(context));
  const auto type = prim_type_named(as_string(boost::fusion::at_c<1>(x3::_attr(context))));
  if (!type) throw ReadError("`empty` names an unknown element type", 0);
  if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) {
    throw ReadError("`empty` needs a dimension of size 0", 0);
  }
  builder(context).array(
      Value::zeros(*type, std::vector<std::int64_t>(sizes.begin(), sizes.end())));
};

const x3::rule<struct ValueTag> value_rule = "value";
const auto blank = x3::space | (x3::lit("--") >> *(x3::char_ - x3::eol));
const auto token_char = x3::alnum | x3::char_("._+-");
const auto dimension = '[' >> x3::int64 >> ']';
const auto empty_array =
    (x3::lit("empty") >> '(' >> +dimension >> x3::lexeme[+x3::alnum] >> ')')[on_empty];
const auto string =
    x3::raw[x3::lexeme['"' >> *(('\\' >> x3::char_) | (x3::char_ - '"')) >> '"']][on_string];
const auto array = x3::lit('[')[on_open] >> -(value_rule % ',') >>
                   -x3::lit(',') >> x3::lit(']')[on_close];
const auto scalar = x3::raw[x3::lexeme[+token_char]][on_scalar];
const auto value_rule_def = array | string | empty_array | scalar;
BOOST_SPIRIT_DEFINE(value_rule)

}  // namespace

std::size_t skip_blanks(std::string_view input, std::size_t offset) {
  const char* position = input.data() + offset;
  x3::parse(position, input.data() + input.size(), *blank);
  return static_cast<std::size_t>(position - input.data());
}

Value read_text(std::string_view input, std::size_t& offset, std::vector<double>& last_digits) {
  ArrayBuilder state;
  const char* position = input.data() + offset;
  try {
    if (!x3::phrase_parse(position, input.data() + input.size(),
                          x3::with<BuilderTag>(state)[value_rule], blank,
                          x3::skip_flag::dont_post_skip)) {
      throw ReadError("expected a value", 0);
    }
    const Value value = state.finish();
    offset = static_cast<std::size_t>(position - input.data());
    last_digits = std::move(state.last_digits);
    return value;
  } catch (const ReadError& error) {
    throw ReadError(error.what(), offset);  // the value's begin
  }
}

}  // namespace boustro::values
