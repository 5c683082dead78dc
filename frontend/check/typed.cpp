// The special members of the type with many alternatives.

#include "frontend/check/typed.hpp"

namespace boustro::check {

ExpNode::ExpNode(const ExpNode& other) = default;
ExpNode::ExpNode(ExpNode&& other) noexcept = default;
ExpNode& ExpNode::operator=(const ExpNode& other) = default;
ExpNode& ExpNode::operator=(ExpNode&& other) noexcept = default;
ExpNode::~ExpNode() = default;

}  // namespace boustro::check
