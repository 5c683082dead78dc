#include "frontend/parse/operators.hpp"

#include "frontend/ast/precedence.hpp"
#include "frontend/source/source.hpp"

namespace boustro::parse {
namespace {

ast::Fixity fixity(const Joint& joint) {
  const auto* op = std::get_if<ast::QualifiedName>(&joint);
  return op ? ast::fixity_of(op->name) : ast::with_fixity;
}

ast::Exp join(ast::Exp lhs, Joint joint, ast::Exp rhs) {
  const ast::Place at = source::join(lhs.at, rhs.at);
  if (auto* op = std::get_if<ast::QualifiedName>(&joint)) {
    return {ast::Binary{std::move(lhs), std::move(*op), std::move(rhs)}, at};
  }
  auto& path = std::get<std::vector<ast::Access>>(joint);
  return {ast::With{std::move(lhs), std::move(path), std::move(rhs)}, at};
}

/// Operands and joints that wait for a tighter one to their right.
class Stack {
 public:
  explicit Stack(ast::Exp first) { operands_.push_back(std::move(first)); }

  void push(Link link) {
    const ast::Fixity next = fixity(link.joint);
    while (!joints_.empty() && takes_operand_before(fixity(joints_.back()), next)) reduce();
    joints_.push_back(std::move(link.joint));
    operands_.push_back(std::move(link.operand));
  }

  ast::Exp finish() {
    while (!joints_.empty()) reduce();
    return std::move(operands_.back());
  }

 private:
  static bool takes_operand_before(ast::Fixity left, ast::Fixity right) {
    return left.level > right.level || (left.level == right.level && !left.right_associative);
  }

  void reduce() {
    ast::Exp rhs = std::move(operands_.back());
    operands_.pop_back();
    ast::Exp& lhs = operands_.back();
    lhs = join(std::move(lhs), std::move(joints_.back()), std::move(rhs));
    joints_.pop_back();
  }

  std::vector<ast::Exp> operands_;
  std::vector<Joint> joints_;
};

}  // namespace

ast::Exp resolve(ast::Exp first, std::vector<Link> links) {
  Stack stack(std::move(first));
  for (Link& link : links) stack.push(std::move(link));
  return stack.finish();
}

}  // namespace boustro::parse
