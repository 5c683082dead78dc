#include "frontend/parse/definition_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(definition_type, Iterator, Context)

}  // namespace boustro::parse
