#include "transform/lower/entry.hpp"

#include <algorithm>

#include "frontend/source/messages.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/consumption.hpp"
#include "transform/lower/expression.hpp"
#include "transform/lower/mentions.hpp"
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

/// What holds no data does not cross the interface.
bool is_passed(const Leaf& leaf) { return !leaf.blank || !leaf.shape.empty(); }

std::vector<Atom> passed_leaves(const Value& value, const Type& type) {
  const std::vector<Atom> all = leaves(value);
  const std::vector<Leaf> types = leaves_of(type);
  std::vector<Atom> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_passed(types.at(i))) result.push_back(all[i]);
  }
  return result;
}

const Type& field_type(const Type& record, const std::string& name) {
  const auto& fields = std::get<RecordType>(record.node).fields;
  return std::find_if(fields.begin(), fields.end(),
                      [&](const FieldType& f) { return f.name == name; })
      ->type;
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
    const Type type = evaluate_type(context_, *scope_, definition_.result);
    add_results(coerce(context_, result, type), type);
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
      context_.call({Atom(size.name)}, param.name.text, definition_.at);  // whatever part of a record it becomes
      function_.params.push_back(size);
    }
  }

  void add_param(std::size_t i) {
    const check::Pattern& pattern = definition_.params[i];
    const Type type = evaluate_type(context_, *scope_, pattern.type);
    const std::size_t first = params_.size();
    std::vector<Atom> atoms;
    for (const Leaf& leaf : leaves_of(type)) {
      atoms.push_back(is_passed(leaf) ? add_leaf(pattern, i, core_type(leaf))
                                      : Atom(PrimValue::of_bool(false)));
    }
    entry_.params.push_back({name_of(pattern, i), written(definition_.param_types_as_written, i),
                             static_cast<int>(params_.size() - first)});
    bind_pattern(context_, *scope_, pattern, from_leaves(type, atoms));
  }

  Atom add_leaf(const check::Pattern& pattern, std::size_t i, ir::Type type) {
    const bool used = is_used(pattern);
    for (Atom& size : type.shape) size = interface_size(size, used);
    const bool unique = pattern.unique && !type.is_scalar();
    params_.push_back(context_.names.fresh_param(name_of(pattern, i), type, unique));
    return params_.back().name;
  }

  /// What a parameter's type says for a size: a size that is computed, such as that of [n * m]f32,
  /// is not known before the function runs. The array has a size of its own then, which is checked
  /// where the array is coerced; here, if nothing uses the array.
  Atom interface_size(const Atom& size, bool used) {
    const ir::Name* name = ir::name_in(size);
    if (!name || is_param(size)) return size;
    function_.params.push_back(context_.names.fresh_param(name->base, ir::scalar(PrimType::i64)));
    const Atom given = function_.params.back().name;
    if (!used) {
      const ir::CmpOp equal{ir::CmpOpKind::eq, PrimType::i64, given, size};
      context_.check(context_.emit("fits", equal), "an argument has size {}, but {} is expected",
                     {given, size});
    }
    return given;
  }

  bool is_used(const check::Pattern& pattern) const {
    if (std::holds_alternative<check::WildcardPattern>(pattern.node)) return false;
    const auto* name = std::get_if<check::NamePattern>(&pattern.node);
    const auto names = mentioned_values(definition_.body);
    return !name || std::find(names.begin(), names.end(), name->name) != names.end();
  }

  /// The sizes come first.
  void join_params() {
    function_.size_params = static_cast<int>(function_.params.size());
    for (ir::Param& param : params_) function_.params.push_back(std::move(param));
  }

  void add_results(const Value& result, const Type& type) {
    const auto* record = std::get_if<check::RecordType>(&definition_.result.node);
    add_size_results(passed_leaves(result, type));
    if (record && !record->fields.empty() && check::is_tuple(*record)) {
      for (const check::Field& f : record->fields)
        add_result(f.name, field(result, f.name), field_type(type, f.name),
                   check::to_string(f.type));
    } else {
      add_result("", result, type, definition_.result_type_as_written);
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

  void add_result(const std::string& name, const Value& value, const Type& type,
                  const std::string& text) {
    const std::vector<Atom> atoms = passed_leaves(value, type);
    entry_.results.push_back({name, text, static_cast<int>(atoms.size())});
    for (const Atom& atom : atoms) {
      entry_.results.back().called.push_back(source_name(atom));
      function_.body.result.push_back(atom);
    }
  }

  /// Of a result; of a derivative that of what it is with respect to.
  std::string source_name(const Atom& result) const {
    const ir::Name* name = ir::name_in(result);
    if (!name || is_param(result)) return "";
    if (context_.preferred.contains(*name)) return context_.called(*name);
    return name->base.ends_with("_adj") || name->base.ends_with("_tan") ? name->base : "";
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
