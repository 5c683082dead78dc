#include "frontend/modules/show.hpp"

namespace boustro::modules {
namespace {

const std::string& text_of(const check::Name& name) { return name.text; }
const std::string& text_of(const ast::Identifier& name) { return name.text; }

template <typename Param>
std::string show_all(const std::vector<Param>& params) {
  std::string text;
  for (const Param& param : params) {
    text += " ";
    switch (param.kind) {
      case Param::Kind::size:
        text += "[" + text_of(param.name) + "]";
        break;
      case Param::Kind::type:
        text += "'" + text_of(param.name);
        break;
      case Param::Kind::size_lifted:
        text += "'~" + text_of(param.name);
        break;
      case Param::Kind::lifted:
        text += "'^" + text_of(param.name);
        break;
    }
  }
  return text;
}

}  // namespace

std::string show(const std::vector<check::TypeParam>& params) { return show_all(params); }
std::string show(const std::vector<ast::TypeParam>& params) { return show_all(params); }

}  // namespace boustro::modules
