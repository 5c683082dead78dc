#include "transform/ir/print.hpp"

#include <unordered_set>

#include "transform/ir/parts.hpp"
#include "transform/ir/print/printer.hpp"
#include "transform/ir/verify/report.hpp"

namespace boustro::ir {
namespace {

using printing::mended;
using printing::Namer;
using printing::Printer;

/// All names that are bound inside, in order, and their types.
struct Bindings : parts::Deep<Bindings> {
  std::vector<Name> names;
  std::unordered_map<Name, Type> types;

  void use(const Name&) {}
  void use(const Atom&) {}
  void bind(const Name& name) { names.push_back(name); }
  void typed(const Name& name, const Type& type) { types.insert_or_assign(name, type); }
};

template <typename Node>
Bindings bindings_of(const Node& node) {
  Bindings bindings;
  parts::visit(node, bindings);
  return bindings;
}

/// Entries keep their name; other functions make way.
std::unordered_map<Name, Printer::Callee> callees_of(const std::vector<Function>& functions) {
  std::unordered_map<Name, Printer::Callee> callees;
  std::unordered_set<std::string> taken;
  for (const Function& f : functions) {
    if (f.entry) taken.insert(f.entry->name);
  }
  for (const Function& f : functions) {
    std::string name = f.entry ? f.entry->name : mended(f.name.base);
    for (int number = 1; !f.entry && !taken.insert(name).second; ++number) {
      name = fmt::format("{}_{}", mended(f.name.base), number);
    }
    std::vector<bool> size_args = printing::sizes_among(f.params);
    for (std::size_t i = static_cast<std::size_t>(f.size_params); i < size_args.size(); ++i) size_args[i] = false;
    callees.emplace(f.name, Printer::Callee{std::move(name), std::move(size_args)});
  }
  return callees;
}

std::string print(const Function& function, const std::unordered_map<Name, Printer::Callee>& callees,
                  std::vector<bool> fresh_results, const PrintOptions& options) {
  Bindings bindings = bindings_of(function);
  std::unordered_set<std::string> taken;
  for (const auto& [name, callee] : callees) taken.insert(callee.name);
  Printer printer(Namer(bindings.names, taken), std::move(bindings.types), options);
  printer.callees = callees;
  printer.fresh_results = std::move(fresh_results);
  return printer.function(function);
}

}  // namespace

std::string to_string(const Program& program, const PrintOptions& options) {
  const auto callees = callees_of(program.functions);
  const auto fresh = verification::fresh_results(program);
  std::string text;
  for (const Function& function : program.functions) {
    const auto found = fresh.find(function.name);
    text += text.empty() ? "" : "\n";
    text += print(function, callees, found == fresh.end() ? std::vector<bool>{} : found->second, options);
  }
  return text;
}

std::string to_string(const Program& program, const Function& function, const PrintOptions& options) {
  const auto fresh = verification::fresh_results(program);
  const auto found = fresh.find(function.name);
  return print(function, callees_of(program.functions), found == fresh.end() ? std::vector<bool>{} : found->second, options);
}

std::string to_string(const Function& function, const PrintOptions& options) {
  return print(function, callees_of({function}), {}, options);
}

// Alone, statements and expressions keep the tags of their names, so that messages tell them apart.

std::string to_string(const Stm& stm) {
  const PrintOptions options;
  return Printer({}, bindings_of(stm).types, options).statement(stm, 0);
}

std::string to_string(const Exp& exp) {
  const PrintOptions options;
  return Printer({}, bindings_of(exp).types, options).expression(exp, 0);
}

}  // namespace boustro::ir
