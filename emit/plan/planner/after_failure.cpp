#include "emit/plan/planner/after_failure.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "emit/plan/build.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner {
namespace {

using Names = std::set<std::string>;

// ---- What follows a check

bool is_record(const Param& param) { return param.type.name == "Failure"; }

const Param* record_in(const std::vector<Param>& params) {
  const auto found = std::find_if(params.begin(), params.end(), is_record);
  return found == params.end() ? nullptr : &*found;
}

/// Kernels and library calls that run after something that can fail.
class Order {
 public:
  explicit Order(Entry& entry) : entry_(entry) {
    for (const Kernel& kernel : entry.kernels) {
      if (record_in(kernel.params)) can_fail_.insert(kernel.name);
    }
    for (const Library& library : entry.libraries) {
      if (record_in(library.params)) can_fail_.insert(library.name);
    }
    walk(entry.body, false);
    declare();
  }

  Names following;

 private:
  /// The variable that all reads of the record share, where the first of them is.
  void declare() {
    const auto first = std::find_if(entry_.body.begin(), entry_.body.end(), [](Stm& stm) { return reads_record(stm); });
    if (first == entry_.body.end()) return;
    const bool gap = std::exchange(first->gap, false);
    Stm let = Let{failed_, type(PrimType::i32), lit(0, PrimType::i32), true};
    let.gap = gap;
    entry_.body.insert(first, std::move(let));
  }

  static bool reads_record(Stm& stm) {
    bool reads = false;
    for_each_stm(std::span(&stm, 1), [&](Stm& inner) {
      const auto* read = std::get_if<Read>(&inner.what);
      reads = reads || (read && !read->failed.empty()) || std::holds_alternative<EndIfFailed>(inner.what);
    });
    return reads;
  }

  /// A name that nothing in the entry has.
  std::string unused_name() const {
    Names names = names_in(entry_.body);
    for (const Param& param : entry_.params) names.insert(param.name);
    for_each_stm(entry_.body, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.what)) names.insert(let->name);
      if (const auto* read = std::get_if<Read>(&stm.what)) names.insert(read->name);
    });
    std::string name = "failed";
    for (int i = 1; names.contains(name); ++i) name = "failed_" + std::to_string(i);
    return name;
  }

  /// Whether a check may have failed after the statements, if one may have before them.
  bool walk(Stms& stms, bool failed) {
    std::erase_if(stms, [&](Stm& stm) {
      auto* end = std::get_if<EndIfFailed>(&stm.what);
      if (!end) {
        failed = this->stm(stm, failed);
        return false;
      }
      if (!failed) return true;
      end->failed = failed_;
      entry_.waits = true;
      return failed = false;
    });
    return failed;
  }

  bool stm(Stm& stm, bool failed) {
    if (const auto* launch = std::get_if<Launch>(&stm.what)) return run(launch->kernel, failed);
    if (const auto* call = std::get_if<Run>(&stm.what)) return run(call->library, failed);
    if (auto* read = std::get_if<Read>(&stm.what)) {
      if (failed && read->failed.empty()) read->failed = failed_;
      return false;
    }
    if (auto* loop = std::get_if<For>(&stm.what)) return repeat(loop->body, failed);
    if (auto* loop = std::get_if<While>(&stm.what)) return repeat(loop->body, failed);
    if (auto* branch = std::get_if<If>(&stm.what)) {
      const bool yes = walk(branch->then_body, failed);
      return walk(branch->else_body, failed) || yes;
    }
    return failed;
  }

  bool run(const std::string& name, bool failed) {
    if (failed) following.insert(name);
    return failed || can_fail_.contains(name);
  }

  bool repeat(Stms& body, bool failed) {
    const bool once = walk(body, failed);
    const bool again = once && !failed && walk(body, true);
    return failed || once || again;
  }

  Entry& entry_;
  const std::string failed_ = unused_name();
  Names can_fail_;
};

// ---- Guards

/// A name for the record that nothing inside has.
std::string record_name(const std::vector<Param>& params, const Stms& body) {
  Names names = names_in(body);
  for (const Param& param : params) names.insert(param.name);
  for_each_stm(body, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.what)) names.insert(let->name);
    if (const auto* loop = std::get_if<For>(&stm.what)) names.insert(loop->name);
    if (const auto* array = std::get_if<LocalArray>(&stm.what)) names.insert(array->name);
    if (const auto* array = std::get_if<SharedArray>(&stm.what)) names.insert(array->name);
    if (const auto* closure = std::get_if<Closure>(&stm.what)) names.insert(closure->name);
  });
  std::string name = "failure_record";
  for (int i = 1; names.contains(name); ++i) name = "failure_record_" + std::to_string(i);
  return name;
}

/// Adds the record to the parameters, before those that are no pointers, and says where.
std::size_t add_record(std::vector<Param>& params, const std::string& name) {
  const auto place = std::find_if(params.begin(), params.end(),
                                  [](const Param& param) { return !param.type.pointer; });
  const auto added = params.insert(place, {.name = name,
                                           .type = const_pointer_to(struct_type("Failure")),
                                           .access = Access::read});
  return static_cast<std::size_t>(added - params.begin());
}

void insert_arg(std::vector<Expr>& args, std::size_t place, Expr arg) {
  args.insert(args.begin() + static_cast<std::ptrdiff_t>(place), std::move(arg));
}

const Type record_type = pointer_to(struct_type("Failure"));

/// Where threads may leave on their own: at the beginning, or where those that have no point do if all threads come to a barrier before.
Stms::iterator place_of_guard(Stms& body) {
  const auto is_barrier = [](const Stm& stm) { return std::holds_alternative<Barrier>(stm.what); };
  const auto leaves = [](const Stm& stm) {
    const auto* branch = std::get_if<If>(&stm.what);
    return branch && branch->then_body.size() == 1 && std::holds_alternative<Return>(branch->then_body[0].what);
  };
  const auto first = std::find_if(body.begin(), body.end(), leaves);
  return first != body.end() && std::any_of(body.begin(), first, is_barrier) ? first : body.begin();
}

void add_guard(Stms& body, const Param& record, Return leave) {
  Expr failed = runtime::has_failed(var(record));
  const auto place = place_of_guard(body);
  if (place != body.end() && place == body.begin()) place->gap = true;
  body.insert(place, If{std::move(failed), {std::move(leave)}});
}

class Guards {
 public:
  Guards(Entry& entry, const Names& following) : entry_(entry) {
    for (Kernel& kernel : entry.kernels) {
      if (following.contains(kernel.name)) guard(kernel);
    }
    for (Library& library : entry.libraries) {
      if (following.contains(library.name)) guard(library);
    }
  }

 private:
  // Threads of a block may see the record change if others of the same launch write it: between
  // barriers they do not leave on their own, but only what is between them.
  void guard(Kernel& kernel) {
    if (Function* work = checked_work_of(kernel)) {
      if (guarded_.insert(work->name).second)
        add_guard(work->body, *record_in(work->params), Return{});
      return;
    }
    if (!record_in(kernel.params)) {
      const std::size_t place =
          planner::add_record(kernel.params, record_name(kernel.params, kernel.body));
      for_each_stm(std::span(entry_.body), [&](Stm& stm) {
        auto* launch = std::get_if<Launch>(&stm.what);
        if (launch && launch->kernel == kernel.name)
          insert_arg(launch->args, place, var("failure", record_type));
      });
    }
    add_guard(kernel.body, *record_in(kernel.params), Return{});
  }

  /// The function that does the work of a kernel's threads, if it has checks.
  Function* checked_work_of(const Kernel& kernel) {
    Function* work = nullptr;
    for (const Stm& stm : kernel.body) {
      const auto* call = std::get_if<Do>(&stm.what);
      if (!call) continue;
      for (Definition& definition : entry_.definitions) {
        auto* function = std::get_if<Function>(&definition);
        const bool called = function && function->name == std::get<Call>(call->call.head).function;
        if (called && record_in(function->params)) work = function;
      }
    }
    return work;
  }

  void guard(Library& library) {
    for (Operand* operand : {&library.input, &library.output}) {
      if (!std::holds_alternative<Construct>(operand->value.head)) continue;
      for (Definition& definition : entry_.definitions) {
        auto* functor = std::get_if<Functor>(&definition);
        if (functor && functor->name == operand->value.type.name && follows_data(*functor))
          guard(library, *operand, *functor);
      }
    }
  }

  void guard(Library& library, Operand& operand, Functor& functor) {
    if (!record_in(functor.fields)) {
      if (!record_in(library.params)) add_record(library);
      std::vector<Param> inside = functor.fields;
      inside.insert(inside.end(), functor.params.begin(), functor.params.end());
      const std::size_t place = planner::add_record(functor.fields, record_name(inside, functor.body));
      insert_arg(operand.value.args, place, var(*record_in(library.params)));
    }
    Return leave;
    if (functor.result) leave.value = zero_of(*functor.result);
    add_guard(functor.body, *record_in(functor.fields), std::move(leave));
  }

  void add_record(Library& library) {
    const std::size_t place = planner::add_record(library.params, record_name(library.params, {}));
    for_each_stm(std::span(entry_.body), [&](Stm& stm) {
      auto* run = std::get_if<Run>(&stm.what);
      if (run && run->library == library.name)
        insert_arg(run->args, place, var("failure", record_type));
    });
    for (Run& query : entry_.scratch.library) {
      if (query.library == library.name) insert_arg(query.args, place, null_pointer(record_type));
    }
  }

  static bool loads(const Expr& expr, const Names& loaded) {
    if (std::holds_alternative<Element>(expr.head)) return true;
    if (const auto* v = std::get_if<Var>(&expr.head)) return loaded.contains(v->name);
    return std::any_of(expr.args.begin(), expr.args.end(),
                       [&](const Expr& arg) { return loads(arg, loaded); });
  }

  /// Whether an index or the length of a loop comes from memory.
  static bool follows_data(const Functor& functor) {
    Names loaded;
    bool follows = false;
    const std::function<void(const Expr&)> visit = [&](const Expr& expr) {
      if (std::holds_alternative<Element>(expr.head)) follows = follows || loads(expr.args[1], loaded);
      for (const Expr& arg : expr.args) visit(arg);
    };
    for_each_stm(functor.body, [&](const Stm& stm) {
      for_each_expr(stm, visit);
      const auto* let = std::get_if<Let>(&stm.what);
      if (let && let->value && loads(*let->value, loaded)) loaded.insert(let->name);
      const auto* assign = std::get_if<Assign>(&stm.what);
      const auto* target = assign ? std::get_if<Var>(&assign->target.head) : nullptr;
      if (target && loads(assign->value, loaded)) loaded.insert(target->name);
      const auto* loop = std::get_if<For>(&stm.what);
      follows = follows || (loop && loads(loop->to, loaded)) ||
                std::holds_alternative<While>(stm.what);
    });
    return follows;
  }

  Entry& entry_;
  Names guarded_;
};

}  // namespace

void stop_after_failures(Entry& entry) {
  const Order order(entry);
  Guards(entry, order.following);
}

}  // namespace boustro::plan::planner
