// Branches, loops, calls, assertions; derivatives, which are not to be there any more.
#include <memory>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"

namespace boustro::ir::evaluation {
namespace {

/// A number as it reads in a message: without its type.
std::string number_string(PrimValue value) {
  if (value.type == PrimType::boolean) return value.as_bool() ? "true" : "false";
  if (values::is_float(value.type)) return fmt::format("{}", value.as_float());
  if (values::is_unsigned(value.type)) return fmt::format("{}", value.bits);
  return fmt::format("{}", value.as_int());
}

/// `{}` stands for the next argument.
std::string filled_in(const std::string& message, const std::vector<PrimValue>& args) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (message.compare(i, 2, "{}") == 0 && next < args.size()) {
      text += number_string(args[next++]);
      ++i;
    } else {
      text += message[i];
    }
  }
  return text;
}

}  // namespace

Step Compiler::compile(const If& e, const Target& target) {
  return [condition = scalar(e.condition), then_body = body(e.then_body),
          else_body = body(e.else_body), to = target.slots](Machine& m) {
    const BodyCode& taken = m.scalar(condition) ? *then_body : *else_body;
    run(m, taken);
    assign_each(m, taken.results, to);
    drop(m, taken);
  };
}

Step Compiler::compile(const Loop& e, const Target& target) {
  std::vector<Slot> init, params;
  for (const LoopParam& p : e.params) init.push_back(slot_of(p.init));
  const auto* for_loop = std::get_if<ForLoop>(&e.form);
  const int bound = for_loop ? scalar(for_loop->bound) : 0;
  for (const LoopParam& p : e.params) params.push_back(bind(p.param.name, p.param.type));
  const int index = for_loop ? bind(for_loop->index, ir::scalar(for_loop->type)).index : 0;
  const BodyCode* code = body(e.body);

  const auto watched = watched_params(e, params);
  const auto watches = std::make_shared<std::vector<WatchRef>>();
  const auto iterate = [=](Machine& m) {
    run(m, *code);
    assign_all(m, code->results, params);
    drop(m, *code);
    for (const WatchRef& watch : *watches) ++watch->iteration;
  };
  const auto finish = [=, to = target.slots](Machine& m) {
    for (std::size_t i = 0; i < watched.size(); ++i)
      end_watch(m.array(watched[i].first), *watches->at(i));
    watches->clear();
    assign_each(m, params, to);
    for (const Slot& param : params) {
      if (param.is_array) m.array(param.index) = {};
    }
  };
  const auto start = [=, stm = target.stm](Machine& m) {
    for (const Slot& slot : init) {
      if (slot.is_array) live(m, slot.index, stm);
    }
    assign_each(m, init, params);
    for (const auto& [array, name] : watched)
      watches->push_back(begin_watch(m.array(array), stm, name));
  };
  if (!for_loop) {
    const int condition = scalar(std::get<WhileLoop>(e.form).condition);
    return [=](Machine& m) {
      start(m);
      while (m.scalar(condition)) iterate(m);
      finish(m);
    };
  }
  return [=, type = for_loop->type](Machine& m) {
    const std::int64_t last = PrimValue{type, m.scalar(bound)}.as_int();
    const bool never = values::is_signed(type) && last <= 0;
    const Bits count = never ? 0 : m.scalar(bound);
    start(m);
    for (Bits i = 0; i < count; ++i) {
      m.scalar(index) = i;
      iterate(m);
    }
    finish(m);
  };
}

/// A failure in a function names its callers, innermost first.
static void run_callee(Machine& m, const BodyCode& body, const Stm* call) {
  try {
    run(m, body);
  } catch (RuntimeFailure& failure) {
    const auto& at = call->origin.at;
    failure.origin.at.insert(failure.origin.at.end(), at.begin(), at.end());
    throw;
  }
}

Step Compiler::compile(const Call& e, const Target& target) {
  const FunctionCode callee = function(e.function);
  source::internal_check(callee.params.size() == e.args.size(), "evaluate: count of arguments");
  return [callee, args = slots_of(e.args), to = target.slots, stm = target.stm](Machine& m) {
    for (const Slot& arg : args) {
      if (arg.is_array) live(m, arg.index, stm);
    }
    assign_each(m, args, callee.params);
    run_callee(m, *callee.body, stm);
    assign_each(m, callee.body->results, to);
    drop(m, *callee.body);
    for (const Slot& param : callee.params) {
      if (param.is_array) m.array(param.index) = {};
    }
  };
}

Step Compiler::compile(const Assert& e, const Target& target) {
  std::vector<PrimType> types;
  for (const Atom& arg : e.args) {
    const Name* name = name_in(arg);
    types.push_back(name ? elem_of(*name) : std::get<PrimValue>(arg).type);
  }
  return [condition = scalar(e.condition), args = scalars(e.args), types, exp = &e,
          stm = target.stm](Machine& m) {
    if (m.scalar(condition)) return;
    std::vector<PrimValue> values;
    for (std::size_t i = 0; i < args.size(); ++i) values.push_back({types[i], m.scalar(args[i])});
    fail(stm, filled_in(exp->message, values));
  };
}

Step Compiler::compile(const Jvp&, const Target& target) {
  broken(target.stm, "is a jvp: differentiation removes these first");
}

Step Compiler::compile(const Vjp&, const Target& target) {
  broken(target.stm, "is a vjp: differentiation removes these first");
}

Step Compiler::compile(const WithVjp& e, const Target& target) {
  return [fn = lambda(e.fn), args = slots_of(e.args), to = target.slots](Machine& m) {
    assign_each(m, args, fn.params);
    run(m, *fn.body);
    assign_each(m, fn.body->results, to);
    drop(m, *fn.body);
  };
}

}  // namespace boustro::ir::evaluation
