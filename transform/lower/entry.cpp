#include "transform/lower/entry.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/consumption.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/patterns.hpp"
#include "transform/lower/sizes.hpp"
#include "transform/lower/sums.hpp"

namespace boustro::lower {
namespace {

bool holds_function(const check::Type& type) {
  return ir::match(
      type.node,  //
      [](const check::FunctionType&) { return true; },
      [](const check::ArrayType& array) { return holds_function(*array.row); },
      [](const check::RecordType& record) {
        for (const check::Field& f : record.fields) {
          if (holds_function(f.type)) return true;
        }
        return false;
      },
      [](const check::SumType& sum) {
        for (const check::Constructor& c : sum.constructors) {
          for (const check::Type& payload : c.payload) {
            if (holds_function(payload)) return true;
          }
        }
        return false;
      },
      [](const auto&) { return false; });
}

void refuse_functions(const check::Definition& definition) {
  bool any = holds_function(definition.result);
  for (const check::Pattern& param : definition.params) any = any || holds_function(param.type);
  if (any)
    source::refuse(source::Message::lower_entry_function, definition.name_at, definition.name.text);
}

std::string written(const std::vector<std::string>& texts, std::size_t i) {
  return i < texts.size() ? texts[i] : "";
}

std::string name_of(const check::Pattern& pattern, std::size_t i) {
  const auto* name = std::get_if<check::NamePattern>(&pattern.node);
  return name ? name->name.text : "arg_" + std::to_string(i);
}

/// The function of an entry while it is being made.
class EntryLowering {
 public:
  EntryLowering(Context& context, const check::Definition& definition)
      : context_(context), definition_(definition) {
    entry_.name = definition.name.text;
    function_.name = context.names.fresh(definition.name.text);
    function_.doc = definition.doc;
    function_.at = definition.at;
    for (const check::Attribute& attribute : definition.attributes)
      function_.attributes.push_back({attribute.name, {}});
  }

  void run() {
    FunctionState state;
    state.is_entry = true;
    const Setting current(context_.function, &state);
    context_.open_block();
    context_.open_block();
    scope_ = context_.new_scope(nullptr);
    add_size_params();
    for (std::size_t i = 0; i < definition_.params.size(); ++i) add_param(i);
    join_params();
    const Value result = make_dynamic(context_, lower_exp(context_, *scope_, definition_.body));
    bind_sizes(context_, *scope_, definition_.existentials, definition_.result, result);
    add_results(coerce(context_, result, evaluate_type(context_, *scope_, definition_.result)));
    ir::Body main = context_.close_block({});
    function_.body.stms = context_.close_block({}).stms;
    for (ir::Stm& stm : main.stms) function_.body.stms.push_back(std::move(stm));
    mark_unique(context_, function_);
    function_.entry = std::move(entry_);
    context_.names.bind_function(function_);
    context_.program.functions.push_back(std::move(function_));
  }

 private:
  void add_size_params() {
    for (const check::TypeParam& param : definition_.type_params) {
      const ir::Param size = context_.names.fresh_param(param.name.text, ir::scalar(PrimType::i64));
      scope_->bind(param.name, {size.name});
      function_.params.push_back(size);
    }
  }

  void add_param(std::size_t i) {
    const check::Pattern& pattern = definition_.params[i];
    const Type type = evaluate_type(context_, *scope_, pattern.type);
    std::vector<Atom> atoms;
    for (ir::Type leaf : core_types(type)) {
      for (Atom& size : leaf.shape) size = interface_size(size);
      const bool unique = pattern.unique && !leaf.is_scalar();
      params_.push_back(context_.names.fresh_param(name_of(pattern, i), leaf, unique));
      atoms.push_back(params_.back().name);
    }
    entry_.params.push_back({name_of(pattern, i), written(definition_.param_types_as_written, i),
                             static_cast<int>(atoms.size())});
    bind_pattern(context_, *scope_, pattern, from_leaves(type, atoms));
  }

  /// What a parameter's type says for a size: a size that is computed, such as that of [n * m]f32,
  /// is not known before the function runs. The array has a size of its own then, which is checked.
  Atom interface_size(const Atom& size) {
    const ir::Name* name = ir::name_in(size);
    if (!name || is_param(size)) return size;
    function_.params.push_back(context_.names.fresh_param(name->base, ir::scalar(PrimType::i64)));
    return function_.params.back().name;
  }

  /// The sizes come first.
  void join_params() {
    function_.size_params = static_cast<int>(function_.params.size());
    for (ir::Param& param : params_) function_.params.push_back(std::move(param));
  }

  void add_results(const Value& result) {
    const auto* record = std::get_if<RecordValue>(&result.node);
    const auto* type = std::get_if<check::RecordType>(&definition_.result.node);
    const bool is_tuple = record && type && check::is_tuple(*type);
    const std::vector<Atom> all = leaves(result);
    add_size_results(all);
    if (is_tuple) {
      for (std::size_t i = 0; i < record->fields.size(); ++i) {
        const check::Field& f = type->fields.at(i);
        add_result(f.name, record->fields[i].value, check::to_string(f.type));
      }
    } else {
      add_result("", result, definition_.result_type_as_written);
    }
    for (const Atom& atom : function_.body.result)
      function_.result_types.push_back(context_.names.type_of(atom));
  }

  /// Sizes of results that are no parameters come first.
  void add_size_results(const std::vector<Atom>& results) {
    std::vector<Atom>& sizes = function_.body.result;
    for (const Atom& result : results) {
      for (const Atom& size : context_.names.type_of(result).shape) {
        const bool known = !ir::name_in(size) || is_param(size) ||
                           std::find(sizes.begin(), sizes.end(), size) != sizes.end();
        if (!known) sizes.push_back(size);
      }
    }
    function_.size_results = static_cast<int>(sizes.size());
  }

  bool is_param(const Atom& atom) const {
    const auto is_it = [&](const ir::Param& param) { return atom == Atom(param.name); };
    return std::any_of(function_.params.begin(), function_.params.end(), is_it) ||
           std::any_of(params_.begin(), params_.end(), is_it);
  }

  void add_result(const std::string& name, const Value& value, const std::string& type) {
    const std::vector<Atom> atoms = leaves(value);
    entry_.results.push_back({name, type, static_cast<int>(atoms.size())});
    for (const Atom& atom : atoms) function_.body.result.push_back(atom);
  }

  Context& context_;
  const check::Definition& definition_;
  ir::Function function_;
  std::vector<ir::Param> params_;  // that are no sizes
  ir::Entry entry_;
  Scope* scope_ = nullptr;
};

}  // namespace

void lower_entry(Context& context, const check::Definition& definition) {
  refuse_functions(definition);
  EntryLowering(context, definition).run();
}

}  // namespace boustro::lower
