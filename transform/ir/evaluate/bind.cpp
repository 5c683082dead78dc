// Arguments from outside: entries do not list sizes, which follow from the arrays' shapes.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate.hpp"

namespace boustro::ir {
namespace {

using values::Value;

[[noreturn]] void reject(const std::string& text) { throw std::invalid_argument(text); }

/// What the user calls the core parameter number `index`, sizes not counted.
std::string description(const Function& entry, std::size_t index) {
  const std::string position = fmt::format("argument {}", index + 1);
  if (!entry.entry) return position;
  std::size_t first = 0;
  for (const EntryValue& param : entry.entry->params) {
    const auto count = static_cast<std::size_t>(param.count);
    if (index < first + count) {
      return param.name.empty() ? position : fmt::format("{} (`{}`)", position, param.name);
    }
    first += count;
  }
  return position;
}

std::string type_in_words(const Type& type) {
  std::string text;
  for (const Atom& size : type.shape) {
    const Name* name = name_in(size);
    text += fmt::format("[{}]",
                        name ? name->base : fmt::format("{}", std::get<PrimValue>(size).as_int()));
  }
  return text + std::string(values::name_of(type.elem));
}

/// The sizes found so far, and where.
struct Sizes {
  struct Found {
    std::int64_t size;
    std::string from;
  };
  std::unordered_map<Name, Found> found;

  void match_dimension(const Atom& expected, std::int64_t size, const std::string& where) {
    if (const PrimValue* literal = literal_in(expected)) {
      if (literal->as_int() != size) {
        reject(fmt::format("{} has size {}, but {} is expected", where, size, literal->as_int()));
      }
      return;
    }
    const Name& name = std::get<Name>(expected);
    const auto [it, is_new] = found.emplace(name, Found{size, where});
    if (!is_new && it->second.size != size) {
      reject(fmt::format("{} has size {}, but `{}` is {} by {}", where, size, name.base,
                         it->second.size, it->second.from));
    }
  }
};

}  // namespace

std::vector<Value> bind_arguments(const Function& entry, std::vector<Value> args) {
  const auto size_params = static_cast<std::size_t>(entry.size_params);
  const std::size_t expected = entry.params.size() - size_params;
  if (args.size() != expected) {
    reject(fmt::format("{} values are given, but {} are expected", args.size(), expected));
  }
  Sizes sizes;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Type& type = entry.params[size_params + i].type;
    const std::string where = description(entry, i);
    if (args[i].type != type.elem || args[i].rank() != type.rank()) {
      reject(fmt::format("{} is of type {}, but {} is expected", where,
                         values::type_string(args[i]), type_in_words(type)));
    }
    if (type == scalar(PrimType::i64))  // may be the size of a later argument
      sizes.found.emplace(entry.params[size_params + i].name,
                          Sizes::Found{args[i].element(0).as_int(), where});
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      sizes.match_dimension(type.shape[d], args[i].shape[d], where);
    }
  }
  std::vector<Value> all;
  for (std::size_t i = 0; i < size_params; ++i) {
    const Name& name = entry.params[i].name;
    const auto found = sizes.found.find(name);
    if (found == sizes.found.end()) {
      reject(fmt::format("the size `{}` is not that of any argument", name.base));
    }
    all.push_back(Value::of(PrimValue::of_int(PrimType::i64, found->second.size)));
  }
  std::move(args.begin(), args.end(), std::back_inserter(all));
  return all;
}

std::vector<Value> run_entry(const Program& program, std::string_view entry,
                             std::vector<Value> args, const EvaluateOptions& options) {
  const auto function =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [&](const Function& f) { return f.entry && f.entry->name == entry; });
  if (function == program.functions.end())
    reject(fmt::format("there is no entry point `{}`", entry));
  std::vector<Value> results =
      evaluate(program, *function, bind_arguments(*function, std::move(args)), options);
  results.erase(results.begin(), results.begin() + function->size_results);
  return results;
}

}  // namespace boustro::ir
