// Walks over the syntax trees that raising makes: its expressions, patterns and types, in the order in which they are printed.
//
// A visitor has
//   use(name)      an occurrence of a name without qualifiers, as std::string&
//   mention(name)  the same in a type or an attribute, where only a name can stand
//   enter(scope)   a scope opens,
//   bind(name)     binds a name, as std::string&,
//   leave()        and ends: the bindings of a let hold to the end of its body
#pragma once

#include <cstddef>

#include "transform/raise/tree.hpp"

namespace boustro::raise {

/// How often what stands in a scope is computed: as often as what stands around it, or more often; and whether it may consume
/// what is bound around it, which functions may not.
enum class ScopeKind { let, function_once, function, loop };

/// `core.with_add xs (\acc -> ..)`, whose function is called once.
bool calls_once(const ast::Apply& apply);

/// Calls `visit` with each expression directly inside, apart from sizes in types.
template <typename Visit>
void for_each_child(ast::Exp& exp, Visit visit) {
  const auto each = [&](std::vector<ast::Exp>& list) {
    for (ast::Exp& item : list) visit(item);
  };
  const auto indices = [&](std::vector<ast::DimIndex>& list) {
    for (ast::DimIndex& index : list) {
      if (auto* point = std::get_if<ast::Box<ast::Exp>>(&index)) {
        visit(**point);
      } else {
        auto& slice = std::get<ast::SliceIndex>(index);
        for (auto* part : {&slice.start, &slice.end, &slice.stride})
          if (*part) visit(***part);
      }
    }
  };
  const auto path = [&](std::vector<ast::Access>& accesses) {
    for (ast::Access& access : accesses)
      if (auto* list = std::get_if<std::vector<ast::DimIndex>>(&access)) indices(*list);
  };
  ir::match(
      exp.node,  //
      [&](ast::Tuple& e) { each(e.elements); },
      [&](ast::Record& e) {
        for (ast::FieldExp& field : e.fields)
          if (field.value) visit(*field.value);
      },
      [&](ast::ArrayLiteral& e) { each(e.elements); }, [&](ast::Project& e) { visit(*e.record); },
      [&](ast::Index& e) { visit(*e.array), indices(e.indices); }, [&](ast::LeftSection& e) { visit(*e.operand); },
      [&](ast::RightSection& e) { visit(*e.operand); }, [&](ast::Apply& e) { visit(*e.function), each(e.args); },
      [&](ast::Binary& e) { visit(*e.lhs), visit(*e.rhs); }, [&](ast::Unary& e) { visit(*e.operand); },
      [&](ast::Ascribe& e) { visit(*e.exp); }, [&](ast::Coerce& e) { visit(*e.exp); },
      [&](ast::If& e) { visit(*e.condition), visit(*e.then_branch), visit(*e.else_branch); },
      [&](ast::Lambda& e) { visit(*e.body); },
      [&](ast::Let& e) {
        for (ast::LetBinding& binding : e.bindings) {
          if (auto* let = std::get_if<ast::LetPattern>(&binding.node)) visit(*let->bound);
          else if (auto* update = std::get_if<ast::LetUpdate>(&binding.node)) path(update->path), visit(*update->value);
        }
        visit(*e.body);
      },
      [&](ast::Loop& e) {
        if (e.initial) visit(**e.initial);
        if (auto* form = std::get_if<ast::ForLoop>(&e.form)) visit(*form->bound);
        if (auto* form = std::get_if<ast::WhileLoop>(&e.form)) visit(*form->condition);
        visit(*e.body);
      },
      [&](ast::Assert& e) { visit(*e.condition), visit(*e.exp); },
      [&](ast::With& e) { visit(*e.exp), path(e.path), visit(*e.value); }, [&](ast::Attributed& e) { visit(*e.exp); },
      [](auto&) {});
}

template <typename Visitor>
class Walk {
 public:
  explicit Walk(Visitor& visitor) : v_(visitor) {}

  void definition(ast::ValueDefinition& definition) {
    v_.enter(ScopeKind::function);
    for (ast::TypeParam& param : definition.type_params) v_.bind(param.name.text);
    for (ast::Pattern& param : definition.params) bind(param);
    for (ast::Pattern& param : definition.params) types(param);
    if (definition.result) type(*definition.result);
    exp(definition.body);
    v_.leave();
  }

  void exp(ast::Exp& exp) {
    if (auto* var = node_in<ast::Var>(exp)) {
      if (var->name.qualifiers.empty()) in_size_ ? v_.mention(var->name.name) : v_.use(var->name.name);
    } else if (auto* lambda = node_in<ast::Lambda>(exp)) {
      function(*lambda, ScopeKind::function);
    } else if (auto* applied = node_in<ast::Apply>(exp)) {
      application(*applied);
    } else if (auto* let = node_in<ast::Let>(exp)) {
      bindings(*let);
    } else if (auto* looped = node_in<ast::Loop>(exp)) {
      loop(*looped);
    } else {
      if (auto* attributed = node_in<ast::Attributed>(exp)) attribute(attributed->attribute);
      if (auto* ascription = node_in<ast::Ascribe>(exp)) type(ascription->type);
      if (auto* coercion = node_in<ast::Coerce>(exp)) type(coercion->type);
      if (auto* section = node_in<ast::LeftSection>(exp)) operation(section->op);
      for_each_child(exp, [this](ast::Exp& child) { this->exp(child); });
    }
  }

  void type(ast::Type& type) {
    ir::match(
        type.node,  //
        [&](ast::NamedType& t) {
          for (ast::TypeArg& arg : t.args) {
            if (auto* inner = std::get_if<ast::Box<ast::Type>>(&arg)) this->type(**inner);
            else size(std::get<ast::Size>(arg));
          }
        },
        [&](ast::ArrayType& t) { size(t.size), this->type(*t.element); },
        [&](ast::TupleType& t) {
          for (ast::Type& element : t.elements) this->type(element);
        },
        [&](ast::RecordType& t) {
          for (ast::FieldType& field : t.fields) this->type(field.type);
        },
        [&](ast::UniqueType& t) { this->type(*t.type); },
        [&](ast::ExistentialType& t) {
          v_.enter(ScopeKind::let);
          for (ast::Identifier& size : t.sizes) v_.bind(size.text);
          this->type(*t.type);
          v_.leave();
        },
        [](auto&) {});
  }

 private:
  void operation(ast::QualifiedName& op) {
    if (op.qualifiers.empty() && !ast::is_operator(op.name)) v_.mention(op.name);
  }
  void size(ast::Size& size) {
    if (!size) return;
    const bool before = std::exchange(in_size_, true);
    exp(**size);
    in_size_ = before;
  }
  void attribute(ast::Attribute& attribute) {
    for (ast::Attribute& arg : attribute.args)
      if (is_tagged(arg.name)) v_.mention(arg.name);
  }

  void application(ast::Apply& apply) {
    exp(*apply.function);
    const bool once = calls_once(apply);
    for (ast::Exp& arg : apply.args) {
      auto* lambda = node_in<ast::Lambda>(arg);
      lambda ? function(*lambda, once && &arg == &apply.args.back() ? ScopeKind::function_once : ScopeKind::function) : exp(arg);
    }
  }
  void function(ast::Lambda& lambda, ScopeKind kind) {
    v_.enter(kind);
    for (ast::Pattern& param : lambda.params) bind(param);
    for (ast::Pattern& param : lambda.params) types(param);
    exp(*lambda.body);
    v_.leave();
  }
  void bindings(ast::Let& let) {
    std::size_t scopes = 0;
    for (ast::LetBinding& binding : let.bindings) {
      auto& bound = std::get<ast::LetPattern>(binding.node);
      exp(*bound.bound);
      v_.enter(ScopeKind::let);
      ++scopes;
      for (ast::Identifier& size : bound.sizes) v_.bind(size.text);
      bind(bound.pattern);
      types(bound.pattern);
    }
    exp(*let.body);
    for (; scopes > 0; --scopes) v_.leave();
  }
  void loop(ast::Loop& loop) {
    if (loop.initial) exp(**loop.initial);
    if (auto* form = std::get_if<ast::ForLoop>(&loop.form)) exp(*form->bound);
    v_.enter(ScopeKind::loop);
    for (ast::Identifier& size : loop.sizes) v_.bind(size.text);
    bind(loop.pattern);
    types(loop.pattern);
    if (auto* form = std::get_if<ast::ForLoop>(&loop.form)) v_.bind(form->index.text);
    if (auto* form = std::get_if<ast::WhileLoop>(&loop.form)) exp(*form->condition);
    exp(*loop.body);
    v_.leave();
  }

  void bind(ast::Pattern& pattern) {
    ir::match(
        pattern.node,  //
        [&](ast::NamePattern& p) { v_.bind(p.name.text); },
        [&](ast::TuplePattern& p) {
          for (ast::Pattern& element : p.elements) bind(element);
        },
        [&](ast::RecordPattern& p) {
          for (ast::FieldPattern& field : p.fields)
            if (field.pattern) bind(*field.pattern);
        },
        [&](ast::AscribedPattern& p) { bind(*p.pattern); }, [&](ast::AttributedPattern& p) { bind(*p.pattern); }, [](auto&) {});
  }
  void types(ast::Pattern& pattern) {
    ir::match(
        pattern.node,  //
        [&](ast::TuplePattern& p) {
          for (ast::Pattern& element : p.elements) types(element);
        },
        [&](ast::RecordPattern& p) {
          for (ast::FieldPattern& field : p.fields)
            if (field.pattern) types(*field.pattern);
        },
        [&](ast::AscribedPattern& p) { types(*p.pattern), type(p.type); }, [&](ast::AttributedPattern& p) { types(*p.pattern); },
        [](auto&) {});
  }

  Visitor& v_;
  bool in_size_ = false;
};

template <typename Visitor>
void walk(ast::ValueDefinition& definition, Visitor& visitor) {
  Walk<Visitor>(visitor).definition(definition);
}
template <typename Visitor>
void walk(ast::Exp& exp, Visitor& visitor) {
  Walk<Visitor>(visitor).exp(exp);
}

}  // namespace boustro::raise
