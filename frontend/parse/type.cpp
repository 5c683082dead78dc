#include "frontend/parse/type_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(type_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(type_term_type, Iterator, Context)

}  // namespace boustro::parse
