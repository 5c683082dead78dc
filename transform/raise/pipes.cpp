#include "transform/raise/pipes.hpp"

#include "frontend/ast/print.hpp"
#include "transform/raise/walk.hpp"

namespace boustro::raise {
namespace {

/// What is longer, in columns, is taken not to fit.
constexpr std::size_t longest_line = 84;
constexpr std::size_t longest_line_with_let = 80;

bool fits(const ast::Exp& exp) {
  const auto text = ast::print_on_one_line(exp);
  const bool has_let = text && text->find("let ") != std::string::npos;
  return text && text->size() <= (has_let ? longest_line_with_let : longest_line);
}

/// A function of the prelude or of the program, applied to the result of another.
bool can_be_piped(const ast::Apply& apply) {
  const auto* function = node_in<ast::Var>(*apply.function);
  const auto* inner = node_in<ast::Apply>(apply.args[0]);
  if (!function || !inner || apply.args.size() != 1 || !node_in<ast::Var>(*inner->function)) return false;
  return function->name.qualifiers != std::vector<std::string>{"core"};
}

void pipe(ast::Exp& exp) {
  auto* apply = node_in<ast::Apply>(exp);
  if (!apply || !can_be_piped(*apply) || fits(exp)) return;
  ast::Exp argument = std::move(apply->args[0]);
  ast::Exp function = std::move(*apply->function);
  pipe(argument);
  exp = binary(std::move(argument), "|>", std::move(function));
}

void pipe_inside(ast::Exp& exp) {
  for_each_child(exp, pipe_inside);
  if (auto* let = node_in<ast::Let>(exp)) {
    for (ast::LetBinding& binding : let->bindings)
      if (auto* bound = std::get_if<ast::LetPattern>(&binding.node)) pipe(*bound->bound);
    pipe(*let->body);
  }
  if (auto* lambda = node_in<ast::Lambda>(exp)) pipe(*lambda->body);
}

}  // namespace

void write_pipes(ast::Exp& body) {
  pipe_inside(body);
  pipe(body);
}

}  // namespace boustro::raise
