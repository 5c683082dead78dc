#include "frontend/parse/pattern_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(pattern_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(case_pattern_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(param_pattern_type, Iterator, Context)

}  // namespace boustro::parse
