#include "transform/raise/raise.hpp"

#include <algorithm>
#include <optional>

#include "frontend/ast/print.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/print/namer.hpp"
#include "transform/ir/verify/report.hpp"
#include "transform/raise/lines.hpp"
#include "transform/raise/names.hpp"
#include "transform/raise/origins.hpp"
#include "transform/raise/pipes.hpp"
#include "transform/raise/raiser.hpp"
#include "transform/raise/read_back.hpp"

namespace boustro::raise {

using namespace ir;

namespace {

/// Entries keep their names, as do functions that no entry is called like; as ir/print.hpp has it.
void name_functions(const Program& program, Surroundings& around) {
  for (const Function& f : program.functions)
    if (f.entry) around.taken.insert(f.entry->name);
  for (const Function& f : program.functions) {
    const std::string base = printing::mended(f.name.base);
    std::string name = f.entry ? f.entry->name : base;
    for (int number = 1; !f.entry && !around.taken.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    std::vector<bool> size_args = sizes_among(f.params);
    for (std::size_t i = static_cast<std::size_t>(f.size_params); i < size_args.size(); ++i) size_args[i] = false;
    around.callees.emplace(f.name, Callee{std::move(name), std::move(size_args)});
  }
}

/// What the names of a program may share memory with.
class Sharing {
 public:
  explicit Sharing(const Program& program) : aliases_(program) {
    for (const Function& f : program.functions) {
      Function copy = f;
      change_names(copy, [&](const Name& name) {
        names_.emplace(tagged(name), name);
        return name;
      });
    }
  }
  bool may_alias(const std::string& a, const std::string& b) const {
    const auto x = names_.find(a), y = names_.find(b);
    return a == b || (x != names_.end() && y != names_.end() && aliases_.may_alias(x->second, y->second));
  }

 private:
  facts::Aliases aliases_;
  std::unordered_map<std::string, Name> names_;
};

/// With what each line comes from, if that is wanted.
struct Text {
  std::string text;
  std::vector<std::string> origins;
};

/// The text of one function and of the functions that it needs besides.
class Writer {
 public:
  Writer(const Program& program, const Options& options)
      : program_(program), options_(options), functions_(program), sharing_(program) {
    around_.sources = options.sources;
    around_.functions = &functions_;
    around_.fresh_results = verification::fresh_results(program);
    name_functions(program, around_);
  }

  /// Functions that have forms only of core are said to be core in `forms`.
  Text program_text(std::vector<Form>& forms) {
    around_.helpers.clear();
    Surroundings before = around_;
    std::vector<Text> functions;
    for (std::size_t i = 0; i < forms.size(); ++i) functions.push_back(function_text(program_.functions[i], forms[i]));
    Text all;
    for (Helper& helper : around_.helpers) add(all, {print(std::move(helper.definition)), {}});
    for (const Text& function : functions) add(all, function);
    around_ = std::move(before);
    return all;
  }

 private:
  /// Behind an empty line.
  static void add(Text& all, const Text& part) {
    if (!all.text.empty()) {
      all.text += "\n";
      all.origins.emplace_back();
    }
    all.text += part.text;
    all.origins.insert(all.origins.end(), part.origins.begin(), part.origins.end());
    all.origins.resize(static_cast<std::size_t>(std::count(all.text.begin(), all.text.end(), '\n')));
  }

  Text function_text(const Function& function, Form& form) {
    around_.annotate = form == Form::annotated;
    if (form != Form::core) try {
        Raiser raiser(function, around_);
        ast::Definition definition = raiser.definition();
        raiser.memory.may_alias = [this](const std::string& a, const std::string& b) { return sharing_.may_alias(a, b); };
        return definition_text(std::move(definition), raiser.memory);
      } catch (const NotRaised&) {
        form = Form::core;
      }
    std::string text = to_string(program_, function, {.provenance = true, .sources = options_.sources});
    std::vector<std::string> origins = options_.origins ? origins_of_core_lines(text) : std::vector<std::string>{};
    return {std::move(text), std::move(origins)};
  }

  Text definition_text(ast::Definition definition, const Memory& memory) const {
    std::optional<ast::Definition> marked;
    if (options_.origins) marked = definition;
    finish(definition, memory);
    Text result{print(std::move(definition)), {}};
    if (!marked) return result;
    finish(*marked, memory, Comments::marks);
    result.origins = origins_of_lines(result.text, ast::print(*marked));
    return result;
  }

  std::string print(ast::Definition definition) const {
    ast::Program one;
    one.definitions.push_back(std::move(definition));
    return ast::print(one, options_.width);
  }

  const Program& program_;
  const Options& options_;
  facts::Callees functions_;
  Sharing sharing_;
  Surroundings around_;
};

}  // namespace

void finish(ast::Definition& definition, Memory memory, Comments comments) {
  auto& value = std::get<ast::ValueDefinition>(definition.node);
  if (!memory.may_alias) memory.may_alias = [](const std::string& a, const std::string& b) { return a == b; };
  fold(value, memory);
  comments == Comments::marks ? mark_origins(value.body) : write_origins(value.body);
  spell_names(value);
  write_updates(value.body);
  write_pipes(value.body);
}

Raised raise(const Program& program, const Options& options) {
  Writer writer(program, options);
  const std::size_t n = program.functions.size();
  Raised result;
  const auto try_forms = [&](std::vector<Form> forms, std::string* complaints = nullptr) {
    result.forms = std::move(forms);
    Text text = writer.program_text(result.forms);
    result.text = std::move(text.text);
    result.origins = std::move(text.origins);
    return is_read_back(result.text, complaints);
  };
  if (try_forms(std::vector<Form>(n, Form::plain), &result.complaints)) return result;
  // Function by function, each among others that are core.
  std::vector<Form> chosen(n, Form::core);
  for (std::size_t i = 0; i < n; ++i) {
    for (const Form form : {Form::plain, Form::annotated}) {
      std::vector<Form> attempt(n, Form::core);
      attempt[i] = form;
      if (!try_forms(attempt, form == Form::annotated ? &result.complaints : nullptr)) continue;
      chosen[i] = form;
      break;
    }
  }
  if (!try_forms(chosen)) try_forms(std::vector<Form>(n, Form::core));
  return result;
}

}  // namespace boustro::raise
