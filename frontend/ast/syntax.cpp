// The special members of the type with many alternatives.

#include "frontend/ast/syntax.hpp"

namespace boustro::ast {

ExpNode::ExpNode(const ExpNode& other) = default;
ExpNode::ExpNode(ExpNode&& other) noexcept = default;
ExpNode& ExpNode::operator=(const ExpNode& other) = default;
ExpNode& ExpNode::operator=(ExpNode&& other) noexcept = default;
ExpNode::~ExpNode() = default;

bool ExpNode::operator==(const ExpNode& other) const {
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

}  // namespace boustro::ast
