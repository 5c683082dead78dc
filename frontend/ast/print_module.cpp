// Definitions, module expressions, module types.
#include "frontend/ast/printer.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::ast {
namespace {

std::string_view keyword(Liftedness liftedness) {
  switch (liftedness) {
    case Liftedness::plain: return "type ";
    case Liftedness::size_lifted: return "type~ ";
    case Liftedness::lifted: return "type^ ";
  }
  source::internal_error("print: unknown liftedness");
}

}  // namespace

// ---- Definitions -----------------------------------------------------------------------------------

void Printer::print(const Program& program) {
  separated(program.definitions, "\n", [this](const Definition& definition) {
    print(definition);
    put("\n");
  });
}

void Printer::print(const Definition& definition) {
  doc_and_attributes(definition.doc, definition.attributes);
  std::visit([this](const auto& alternative) { node(alternative); }, definition.node);
}

void Printer::doc_and_attributes(const std::string& doc, const std::vector<Attribute>& attributes) {
  std::string_view prefix = "-- | ";
  for (std::size_t begin = 0; begin < doc.size();) {
    const std::size_t end = doc.find('\n', begin);
    put(prefix);
    put(std::string_view(doc).substr(begin, end - begin));
    line();
    prefix = "-- ";
    begin = end == std::string::npos ? doc.size() : end + 1;
  }
  for (const Attribute& attribute : attributes) {
    put("#[");
    print(attribute);
    put("]");
    line();
  }
}

void Printer::node(const ValueDefinition& definition) {
  if (width_ > 0) {
    head_of_definition(definition);
    return indented([&] {
      line();
      print(definition.body);
    });
  }
  put(definition.is_entry ? "entry " : "def ");
  binder(definition.name.text);
  params(definition.type_params, definition.params);
  result(definition.result);
  put(" =");
  body(definition.body);
}

void Printer::node(const TypeDefinition& definition) {
  put(keyword(definition.liftedness));
  put(definition.name.text);
  params(definition.params, {});
  put(" = ");
  print(definition.type);
}

void Printer::node(const ModuleDefinition& definition) {
  put("module " + definition.name.text);
  for (const ModuleParam& module_param : definition.params) {
    put(" ");
    param(module_param);
  }
  if (definition.type) {
    put(": ");
    print(*definition.type);
  }
  put(" = ");
  print(definition.body);
}

void Printer::node(const ModuleTypeDefinition& definition) {
  put("module type " + definition.name.text + " = ");
  print(definition.type);
}

void Printer::node(const Open& definition) {
  put("open ");
  print(definition.module);
}

void Printer::node(const Import& definition) {
  put("import ");
  node(StringLiteral{definition.path});
}

void Printer::node(const Local& definition) {
  put("local ");
  print(*definition.definition);
}

// ---- Module types ------------------------------------------------------------------------------------

void Printer::print(const ModuleType& type) {
  std::visit([this](const auto& alternative) { node(alternative); }, type.node);
}

void Printer::node(const ModuleTypeName& type) { put(to_string(type.name)); }

void Printer::node(const Signature& type) {
  put("{");
  indented([&] {
    for (const Spec& spec : type.specs) {
      line();
      doc_and_attributes(spec.doc, spec.attributes);
      std::visit([this](const auto& alternative) { node(alternative); }, spec.node);
    }
  });
  line();
  put("}");
}

void Printer::node(const ModuleTypeWith& type) {
  const bool parentheses = std::holds_alternative<ModuleArrow>(type.module_type->node);
  if (parentheses) put("(");
  print(*type.module_type);
  if (parentheses) put(")");
  put(" with " + to_string(type.name));
  params(type.params, {});
  put(" = ");
  print(type.type, TypeStrength::sum);
}

void Printer::node(const ModuleArrow& type) {
  const bool parentheses = !type.param && std::holds_alternative<ModuleArrow>(type.from->node);
  if (type.param) put("(" + type.param->text + ": ");
  if (parentheses) put("(");
  print(*type.from);
  if (parentheses || type.param) put(")");
  put(" -> ");
  print(*type.to);
}

void Printer::node(const ValueSpec& spec) {
  put("val ");
  binder(spec.name.text);
  params(spec.params, {});
  put(" : ");
  print(spec.type);
}

void Printer::node(const TypeSpec& spec) {
  put(keyword(spec.liftedness));
  put(spec.name.text);
  params(spec.params, {});
  if (!spec.type) return;
  put(" = ");
  print(*spec.type);
}

void Printer::node(const ModuleSpec& spec) {
  put("module " + spec.name.text + " : ");
  print(spec.type);
}

void Printer::node(const IncludeSpec& spec) {
  put("include ");
  print(spec.type);
}

// ---- Module expressions --------------------------------------------------------------------------------

void Printer::print(const ModuleExp& exp) {
  std::visit([this](const auto& alternative) { node(alternative); }, exp.node);
}

void Printer::node(const ModuleName& exp) { put(to_string(exp.name)); }

void Printer::node(const ModuleApply& exp) {
  const auto part = [this](const ModuleExp& module, bool plain) {
    if (!plain) put("(");
    print(module);
    if (!plain) put(")");
  };
  const auto is_atom = [](const ModuleExp& module) {
    return std::holds_alternative<ModuleName>(module.node) ||
           std::holds_alternative<ModuleBody>(module.node);
  };
  part(*exp.function,
       is_atom(*exp.function) || std::holds_alternative<ModuleApply>(exp.function->node));
  put(" ");
  part(*exp.arg, is_atom(*exp.arg));
}

void Printer::node(const ModuleAscribe& exp) {
  const bool parentheses = std::holds_alternative<ModuleLambda>(exp.exp->node);
  if (parentheses) put("(");
  print(*exp.exp);
  if (parentheses) put(")");
  put(" : ");
  print(exp.type);
}

void Printer::node(const ModuleBody& exp) {
  put("{");
  indented([&] {
    for (const Definition& definition : exp.definitions) {
      line();
      print(definition);
    }
  });
  line();
  put("}");
}

void Printer::node(const ModuleImport& exp) {
  put("import ");
  node(StringLiteral{exp.path});
}

void Printer::param(const ModuleParam& param) {
  put("(" + param.name.text + ": ");
  print(param.type);
  put(")");
}

void Printer::node(const ModuleLambda& exp) {
  put("\\");
  param(exp.param);
  if (exp.result) {
    const bool parentheses = std::holds_alternative<ModuleArrow>(exp.result->node);
    put(parentheses ? ": (" : ": ");
    print(*exp.result);
    if (parentheses) put(")");
  }
  put(" -> ");
  print(*exp.body);
}

}  // namespace boustro::ast
