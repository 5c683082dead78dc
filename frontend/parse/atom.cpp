#include "frontend/parse/atom_def.hpp"

namespace boustro::parse {

BOOST_SPIRIT_INSTANTIATE(atom_type, Iterator, Context)

}  // namespace boustro::parse
