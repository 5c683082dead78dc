#include "frontend/parse/module_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(module_exp_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(module_type_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(module_param_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(liftedness_type, Iterator, Context)

}  // namespace boustro::parse
