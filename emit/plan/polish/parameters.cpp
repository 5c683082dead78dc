#include "emit/plan/polish/parameters.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan {
namespace {

/// Which parameter of before stands where.
using Order = std::vector<std::size_t>;
using Orders = std::map<std::string, Order>;  // of kernels, or of functions, by name

template <typename T>
void arrange(std::vector<T>& items, const Order& order) {
  std::vector<T> result;
  for (const std::size_t from : order) result.push_back(std::move(items[from]));
  items = std::move(result);
}

template <typename Rank>
Order sorted_by(std::size_t count, const Rank& rank) {
  Order order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

/// Of the parameter that is handed on, or of a part of it; behind all, if there is none.
std::size_t place_among(const std::vector<Param>& params, const Expr& arg) {
  const Expr& plain = std::holds_alternative<Cast>(arg.head) ? arg.args[0] : arg;
  const auto found = std::find_if(params.begin(), params.end(), [&](const Param& param) {
    return is_variable(plain, param.name) || (param.type.pointer && arg.type.pointer && uses_variable(plain, param.name));
  });
  return static_cast<std::size_t>(found - params.begin());
}

/// Of elements of one array, how far from its beginning they are; behind all others, if nobody knows.
std::int64_t offset_of(const Expr& arg) {
  if (std::holds_alternative<Var>(arg.head)) return 0;
  const bool adds = arg.head == Head(Op::add) && arg.type.pointer;
  return adds ? int_value(arg.args[1]).value_or(INT64_MAX) : INT64_MAX;
}

bool is_written(const Param& param) { return param.access != Access::value && param.access != Access::read; }

Order order_of(const Kernel& kernel, const Launch& launch, const Entry& entry) {
  const auto rank = [&](std::size_t i) {
    const Param& param = kernel.params[i];
    if (is_written(param)) return std::tuple(0, std::size_t{0}, std::int64_t{0});
    return std::tuple(param.type.pointer ? 1 : 2, place_among(entry.params, launch.args[i]), param.type.pointer ? offset_of(launch.args[i]) : 0);
  };
  return sorted_by(kernel.params.size(), rank);
}

void order_kernels(Program& plan) {
  std::map<std::string, Kernel*> kernels;
  for (Entry& entry : plan.entries)
    for (Kernel& kernel : entry.kernels) kernels.emplace(kernel.name, &kernel);
  Orders orders;
  for (Entry& entry : plan.entries) {
    for_each_stm(std::span(entry.body), [&](Stm& stm) {
      auto* launch = std::get_if<Launch>(&stm.what);
      if (!launch) return;
      const auto [known, is_first] = orders.try_emplace(launch->kernel);
      if (is_first) known->second = order_of(*kernels.at(launch->kernel), *launch, entry);
      arrange(launch->args, known->second);
    });
  }
  for (const auto& [name, order] : orders) arrange(kernels.at(name)->params, order);
}

/// Of a function that the kernel hands nothing but its own parameters.
std::optional<Order> order_of(const Expr& call, const Kernel& kernel) {
  const auto place = [&](std::size_t i) { return place_among(kernel.params, call.args[i]); };
  for (std::size_t i = 0; i < call.args.size(); ++i)
    if (place(i) == kernel.params.size()) return std::nullopt;
  return sorted_by(call.args.size(), place);
}

/// The name of the function that the statement calls, for nothing it returns; else null.
const std::string* called_by(const Stm& stm) {
  const auto* what = std::get_if<Do>(&stm.what);
  const auto* call = what ? std::get_if<Call>(&what->call.head) : nullptr;
  return call ? &call->function : nullptr;
}

void order_functions(Program& plan) {
  std::map<std::string, Function*> functions;  // of the file, not of its runtime
  const auto note = [&](std::vector<Definition>& definitions) {
    for (Definition& definition : definitions)
      if (auto* function = std::get_if<Function>(&definition)) functions.emplace(function->name, function);
  };
  note(plan.definitions);
  for (Entry& entry : plan.entries) note(entry.definitions);
  Orders orders;
  for (Entry& entry : plan.entries)
    for (const Kernel& kernel : entry.kernels)
      for_each_stm(kernel.body, [&](const Stm& stm) {
        const std::string* name = called_by(stm);
        if (!name || !functions.contains(*name) || orders.contains(*name)) return;
        if (const auto order = order_of(std::get<Do>(stm.what).call, kernel)) orders.emplace(*name, *order);
      });
  for (const auto& [name, order] : orders) arrange(functions.at(name)->params, order);
  const auto call_them = [&](Stms& stms) {
    for_each_stm(std::span(stms), [&](Stm& stm) {
      const std::string* name = called_by(stm);
      const auto order = name ? orders.find(*name) : orders.end();
      if (order != orders.end()) arrange(std::get<Do>(stm.what).call.args, order->second);
    });
  };
  for (Definition& definition : plan.definitions)
    if (auto* function = std::get_if<Function>(&definition)) call_them(function->body);
  for (Entry& entry : plan.entries) for_each_code(entry, false, call_them);
}

}  // namespace

void order_parameters(Program& plan) {
  order_kernels(plan);
  order_functions(plan);
}

}  // namespace boustro::plan
