#include "emit/explain/page.hpp"

#include "emit/explain/embedded.hpp"
#include "emit/explain/html.hpp"

namespace boustro::explain {
namespace {

/// The text takes the place of `@name@`, everywhere; in what was put there before, too.
void put(std::string& page, const std::string& name, std::string_view text) {
  const std::string mark = "@" + name + "@";
  for (std::size_t at = 0; (at = page.find(mark, at)) != std::string::npos; at += text.size()) page.replace(at, mark.size(), text);
}

/// Inside of <script> a `<` could end it, or begin a comment; in JSON it can be written otherwise.
std::string inside_script(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos; ++at) json.replace(at, 1, "\\u003c");
  return json;
}

/// One script of all: each is a function of its own file, in the order in which they use each other.
std::string scripts() {
  std::string text;
  for (const char* const name : {"origins.js", "colours.js", "panes.js", "rules.js", "difference.js", "passes.js", "plan.js", "profile.js", "main.js"})
    text += std::string(embedded_text(name)) + "\n";
  return text;
}

}  // namespace

std::string page(const PageInput& input) {
  std::string page(embedded_text("page.html"));
  put(page, "style", embedded_text("page.css"));
  put(page, "scripts", scripts());
  put(page, "title", escaped(input.files.at(0).name));
  put(page, "command", escaped(input.command));
  put(page, "data", inside_script(page_data(input)));  // last: it may hold anything
  return page;
}

}  // namespace boustro::explain
