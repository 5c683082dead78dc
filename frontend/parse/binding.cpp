#include "frontend/parse/binding_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(binding_exp_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(lambda_type, Iterator, Context)

}  // namespace boustro::parse
