#include "transform/ir/evaluate.hpp"

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir {
namespace {

using namespace evaluation;
using values::Value;

Array array_from(const Value& value) {
  Array array = allocate(value.shape);
  for (std::int64_t i = 0; i < value.size(); ++i) array.cells()[i] = value.element(i).bits;
  return array;
}

Value value_from(const Array& array, PrimType elem) {
  const Array elements = dense(array);
  Value value{elem, {}, {}};
  for (const Dim& dim : elements.dims) value.shape.push_back(std::max<std::int64_t>(dim.size, 0));
  value = Value::zeros(elem, std::move(value.shape));
  for (std::int64_t i = 0; i < value.size(); ++i) value.set_element(i, {elem, elements.cells()[i]});
  return value;
}

/// Sets a parameter; array arguments must have the sizes that its type says.
void pass(Machine& m, const Value& arg, const Param& param, Slot slot) {
  source::internal_check(arg.type == param.type.elem && arg.rank() == param.type.rank(),
                         "evaluate: argument of another type for " + param.name.base);
  if (slot.is_array)
    m.array(slot.index) = array_from(arg);
  else
    m.scalar(slot.index) = arg.element(0).bits;
}

void check_sizes(const Function& function, const std::vector<Value>& args) {
  std::unordered_map<Name, std::int64_t> sizes;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Param& param = function.params[i];
    if (param.type == scalar(PrimType::i64)) sizes.emplace(param.name, args[i].element(0).as_int());
    for (std::size_t d = 0; d < args[i].shape.size(); ++d) {
      const Atom& size = param.type.shape[d];
      const Name* name = name_in(size);
      const std::int64_t wanted = name ? sizes.at(*name) : std::get<PrimValue>(size).as_int();
      source::internal_check(args[i].shape[d] == wanted,
                             "evaluate: argument of another shape for " + param.name.base);
    }
  }
}

/// Fresh memory holds what shows, while it lives.
class Poisoning {
 public:
  explicit Poisoning(bool poisons) { unwritten = poisons ? poison : 0; }
  ~Poisoning() { unwritten = 0; }
  Poisoning(const Poisoning&) = delete;
  Poisoning& operator=(const Poisoning&) = delete;
};

/// What is run while it lives may spend so much.
class Limiting {
 public:
  explicit Limiting(std::int64_t limit) {
    if (limit > 0) allowance = limit;
  }
  ~Limiting() { allowance = std::numeric_limits<std::int64_t>::max(); }
  Limiting(const Limiting&) = delete;
  Limiting& operator=(const Limiting&) = delete;
};

/// Adds the traffic of its lifetime to the counts.
class TrafficCounter {
 public:
  explicit TrafficCounter(Counts* counts) : counts_(counts), live_before_(traffic.live) {
    traffic = {.live = live_before_, .peak = live_before_};
  }
  ~TrafficCounter() {
    if (!counts_) return;
    counts_->operations += traffic.float_additions;
    counts_->elements_read += traffic.read;
    counts_->elements_written += traffic.written;
    counts_->peak_elements = static_cast<std::uint64_t>(traffic.peak - live_before_);
  }
  TrafficCounter(const TrafficCounter&) = delete;
  TrafficCounter& operator=(const TrafficCounter&) = delete;

 private:
  Counts* counts_;
  std::int64_t live_before_;
};

}  // namespace

std::vector<Value> evaluate(const Program& program, const Function& function,
                            std::vector<Value> args, const EvaluateOptions& options) {
  source::internal_check(args.size() == function.params.size(), "evaluate: count of arguments");
  Compiler compiler(program, options);
  const FunctionCode& code = compiler.function(function.name);
  Machine m = compiler.machine();
  for (std::size_t i = 0; i < args.size(); ++i)
    pass(m, args[i], function.params[i], code.params[i]);
  check_sizes(function, args);
  args.clear();

  {
    const Limiting limiting(options.limit);
    const Poisoning poisoning(options.adversary.has_value());
    const TrafficCounter counter(options.counts);
    run(m, *code.body);
  }
  std::vector<Value> results;
  for (std::size_t i = 0; i < code.body->results.size(); ++i) {
    const Slot slot = code.body->results[i];
    const PrimType elem = function.result_types.at(i).elem;
    if (slot.is_array) {
      source::internal_check(m.array(slot.index).alive(), "evaluate: a result was consumed");
      results.push_back(value_from(m.array(slot.index), elem));
    } else {
      results.push_back(Value::of({elem, m.scalar(slot.index)}));
    }
  }
  return results;
}

}  // namespace boustro::ir
