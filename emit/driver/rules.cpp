// boustro rules: the rules of differentiation, as their files state them.
#include "emit/explain/rules.hpp"

#include <iostream>

#include "emit/driver/commands.hpp"

namespace boustro::driver {

int rules(const RulesOptions& options) {
  if (options.names.empty()) std::cout << explain::list_of_rules();
  const char* separator = "";
  for (const std::string& name : options.names)
    for (const explain::Rule* rule : explain::rules_called(name)) {
      std::cout << separator << explain::rule_text(*rule);
      separator = "\n";
    }
  return 0;
}

}  // namespace boustro::driver
