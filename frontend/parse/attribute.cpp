#include "frontend/parse/attribute_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(attribute_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(type_param_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(size_binder_type, Iterator, Context)

}  // namespace boustro::parse
