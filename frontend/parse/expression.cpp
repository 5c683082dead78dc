#include "frontend/parse/expression_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(expression_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(unascribed_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(section_or_expression_type, Iterator, Context)

}  // namespace boustro::parse
