#include "transform/ir/words.hpp"

#include <algorithm>
#include <array>

namespace boustro::ir {

std::string singular(std::string_view word) {
  const auto ends_in = [&](std::string_view end) { return word.ends_with(end); };
  constexpr std::array no_plurals{"ss", "us", "is", "as", "os"};
  if (word == "xss" || word == "yss" || word == "zss") return std::string(word.substr(0, 2));
  if (word.size() < 2 || !ends_in("s") || std::any_of(no_plurals.begin(), no_plurals.end(), ends_in)) return std::string(word);
  if (ends_in("series") || ends_in("species")) return std::string(word);
  if (ends_in("ies") && word.size() > 4) return std::string(word.substr(0, word.size() - 3)) + "y";
  constexpr std::array longer{"asses", "esses", "osses", "iases", "xes", "ches", "shes"};
  const bool by_es = std::any_of(longer.begin(), longer.end(), ends_in);
  return std::string(word.substr(0, word.size() - (by_es ? 2 : 1)));
}

std::string plural(std::string_view word) {
  const auto ends_in = [&](std::string_view end) { return word.ends_with(end); };
  constexpr std::array by_es{"s", "x", "ch", "sh"};
  constexpr std::array vowels{"ay", "ey", "oy", "uy"};
  if (word.size() > 1 && std::any_of(by_es.begin(), by_es.end(), ends_in)) return std::string(word) + "es";
  if (word.size() > 2 && ends_in("y") && std::none_of(vowels.begin(), vowels.end(), ends_in))
    return std::string(word.substr(0, word.size() - 1)) + "ies";
  return std::string(word) + "s";
}

std::string element_of(std::string_view array) {
  for (const std::string_view role : {"_adj", "_tan"})
    if (array.ends_with(role)) return element_of(array.substr(0, array.size() - role.size())) + std::string(role);
  return singular(array);
}

}  // namespace boustro::ir
