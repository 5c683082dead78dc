#include "transform/lower/mentions.hpp"

#include <algorithm>

#include "transform/ir/ir.hpp"

namespace boustro::lower {
namespace {

class Walk {
 public:
  Mentions result;

  void exp(const check::Exp& e) {
    type(e.type);
    std::visit([this](const auto& node) { visit(node); }, e.node);
  }

  void lambda(const check::Lambda& e) {
    for (const check::Pattern& p : e.params) pattern(p);
    exp(*e.body);
    type(e.result);
    names(e.existentials);
  }

  void definition(const check::Definition& d) {
    for (const check::Pattern& p : d.params) pattern(p);
    type(d.result);
    names(d.existentials);
    exp(d.body);
  }

  void finish() {
    for (auto* list : {&result.values, &result.types}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }

 private:
  using BoxedExp = check::Box<check::Exp>;

  void value(const check::Name& name) { result.values.push_back(name); }
  void names(const std::vector<check::Name>& list) {
    for (const check::Name& name : list) value(name);
  }

  void size(const check::Size& s) {
    ir::match(
        s, [this](const check::Name& name) { value(name); },
        [this](const check::SizeExp& e) { exp(*e.exp); }, [](const auto&) {});
  }

  void type(const check::Type& t) {
    ir::match(
        t.node,  //
        [](const values::PrimType&) {},
        [this](const check::ArrayType& array) {
          size(array.size);
          type(*array.row);
        },
        [this](const check::RecordType& record) {
          for (const check::Field& f : record.fields) type(f.type);
        },
        [this](const check::SumType& sum) {
          for (const check::Constructor& c : sum.constructors) {
            for (const check::Type& payload : c.payload) type(payload);
          }
        },
        [this](const check::FunctionType& function) {
          if (function.param) value(*function.param);
          type(*function.from);
          type(*function.to);
        },
        [this](const check::TypeVariable& variable) { result.types.push_back(variable.name); },
        [this](const check::AccumulatorType& accumulator) { type(*accumulator.array); });
  }

  void pattern(const check::Pattern& p) {
    type(p.type);
    ir::match(
        p.node,  //
        [this](const check::NamePattern& n) { value(n.name); },
        [this](const check::RecordPattern& record) {
          for (const check::PatternField& f : record.fields) pattern(f.pattern);
        },
        [this](const check::ConstructorPattern& c) {
          for (const check::Pattern& payload : c.payload) pattern(payload);
        },
        [](const auto&) {});
  }

  void optional(const std::optional<BoxedExp>& e) {
    if (e) exp(**e);
  }
  void indices(const std::vector<check::DimIndex>& list) {
    for (const check::DimIndex& index : list) {
      ir::match(
          index, [this](const BoxedExp& e) { exp(*e); },
          [this](const check::SliceIndex& slice) {
            optional(slice.start);
            optional(slice.end);
            optional(slice.stride);
          });
    }
  }

  void visit(const check::Literal&) {}
  void visit(const check::StringLiteral&) {}
  void visit(const check::Var& e) {
    value(e.name);
    for (const check::Type& t : e.type_args) type(t);
    for (const check::Size& s : e.size_args) size(s);
  }
  void visit(const check::Record& e) {
    for (const check::RecordField& f : e.fields) exp(f.value);
  }
  void visit(const check::ArrayLiteral& e) {
    for (const check::Exp& element : e.elements) exp(element);
  }
  void visit(const check::Project& e) { exp(*e.record); }
  void visit(const check::RecordUpdate& e) {
    exp(*e.record);
    exp(*e.value);
  }
  void visit(const check::Construct& e) {
    for (const check::Exp& payload : e.payload) exp(payload);
  }
  void visit(const check::Lambda& e) { lambda(e); }
  void visit(const check::Apply& e) {
    exp(*e.function);
    exp(*e.argument);
    names(e.existentials);
  }
  void visit(const check::Let& e) {
    names(e.sizes);
    pattern(e.pattern);
    exp(*e.bound);
    exp(*e.body);
  }
  void visit(const check::LetFunction& e) {
    definition(*e.definition);
    exp(*e.body);
  }
  void visit(const check::If& e) {
    exp(*e.condition);
    exp(*e.then_branch);
    exp(*e.else_branch);
    names(e.existentials);
  }
  void visit(const check::Match& e) {
    exp(*e.scrutinee);
    for (const check::Case& c : e.cases) {
      pattern(c.pattern);
      exp(c.body);
    }
    names(e.existentials);
  }
  void visit(const check::Loop& e) {
    names(e.sizes);
    pattern(e.pattern);
    exp(*e.initial);
    ir::match(
        e.form,
        [this](const check::ForLoop& form) {
          pattern(form.index);
          exp(*form.bound);
        },
        [this](const check::ForInLoop& form) {
          pattern(form.element);
          exp(*form.array);
        },
        [this](const check::WhileLoop& form) { exp(*form.condition); });
    exp(*e.body);
    names(e.existentials);
  }
  void visit(const check::Index& e) {
    exp(*e.array);
    indices(e.indices);
    names(e.existentials);
  }
  void visit(const check::Update& e) {
    exp(*e.array);
    indices(e.indices);
    exp(*e.value);
  }
  void visit(const check::Range& e) {
    exp(*e.first);
    optional(e.second);
    exp(*e.last);
    names(e.existentials);
  }
  void visit(const check::Coerce& e) {
    exp(*e.exp);
    type(e.type);
    names(e.existentials);
  }
  void visit(const check::Assert& e) {
    exp(*e.condition);
    exp(*e.exp);
  }
  void visit(const check::Attributed& e) {
    result.texts.insert(result.texts.end(), e.attribute.args.begin(), e.attribute.args.end());
    exp(*e.exp);
  }
  void visit(const check::Hole&) {}
};

}  // namespace

Mentions mentions_of(const check::Lambda& lambda) {
  Walk walk;
  walk.lambda(lambda);
  walk.finish();
  return std::move(walk.result);
}

Mentions mentions_of(const check::Definition& definition) {
  Walk walk;
  walk.definition(definition);
  walk.finish();
  return std::move(walk.result);
}

std::vector<check::Name> mentioned_values(const check::Exp& exp) {
  Walk walk;
  walk.exp(exp);
  walk.finish();
  return std::move(walk.result.values);
}

}  // namespace boustro::lower
