#include "frontend/values/read.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <zlib.h>

#include "frontend/values/read_text.hpp"

namespace boustro::values {
namespace {

/// Type names as the binary format writes them: four characters, padded on the left.
PrimType binary_type(std::string_view name, std::size_t offset) {
  const std::size_t begin = name.find_first_not_of(' ');
  const auto type = prim_type_named(begin == name.npos ? "" : name.substr(begin));
  if (!type)
    throw ReadError(fmt::format("unknown element type `{}` in binary value", name), offset);
  return *type;
}

/// Cuts `count` bytes off the front of the input.
std::string_view take(std::string_view input, std::size_t& offset, std::uint64_t count) {
  if (count > input.size() - offset) throw ReadError("binary value ends too early", input.size());
  const std::string_view piece = input.substr(offset, count);
  offset += count;
  return piece;
}

/// Number of bytes of an array; too many for the rest of the input is found before memory is taken.
std::uint64_t checked_bytes(const std::vector<std::int64_t>& shape, PrimType type,
                            std::size_t offset) {
  std::uint64_t bytes = static_cast<std::uint64_t>(byte_size(type));
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) {
      throw ReadError("binary value has an impossible size", offset);
    }
  }
  return bytes;
}

Value read_binary(std::string_view input, std::size_t& offset) {
  take(input, offset, 1);  // the `b`
  const auto version = static_cast<unsigned char>(take(input, offset, 1)[0]);
  if (version != 2) {
    throw ReadError(fmt::format("binary value has version {}, only 2 is known", version),
                    offset - 1);
  }
  const auto rank = static_cast<unsigned char>(take(input, offset, 1)[0]);
  Value value;
  value.type = binary_type(take(input, offset, 4), offset);
  for (int i = 0; i < rank; ++i) {
    std::int64_t size = 0;
    std::memcpy(&size, take(input, offset, 8).data(), 8);
    value.shape.push_back(size);
  }
  const std::string_view data = take(input, offset, checked_bytes(value.shape, value.type, offset));
  value.data.resize(data.size());
  if (!data.empty()) std::memcpy(value.data.data(), data.data(), data.size());
  for (std::byte& b : value.data) {
    if (value.type == PrimType::boolean && b > std::byte{1}) b = std::byte{1};
  }
  return value;
}

}  // namespace

WrittenValues read_written_values(std::string_view input) {
  WrittenValues result;
  std::size_t offset = skip_blanks(input, 0);
  while (offset < input.size()) {
    std::vector<double>& last_digits = result.last_digits.emplace_back();
    result.values.push_back(input[offset] == 'b' ? read_binary(input, offset)
                                                 : read_text(input, offset, last_digits));
    offset = skip_blanks(input, offset);
  }
  return result;
}

std::vector<Value> read_values(std::string_view input) { return read_written_values(input).values; }

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw std::system_error(EISDIR, std::generic_category(), path);
  }
  errno = 0;
  const gzFile file = gzopen(path.c_str(), "rb");  // passes files in other formats through
  if (file == nullptr) {
    throw std::system_error(errno == 0 ? ENOMEM : errno, std::generic_category(), path);
  }
  std::string text;
  std::array<char, 1 << 16> buffer;
  int count = 0;
  while ((count = gzread(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  gzclose(file);
  if (count < 0) throw std::system_error(EIO, std::generic_category(), path);
  return text;
}

}  // namespace boustro::values
