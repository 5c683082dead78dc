// Neighbouring elements of arrays, for one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// All of one size but the last, which may be smaller; none is empty.
struct Chunks {
  ir::Atom count, size;
};
struct Chunk {
  ir::Atom first, count;
};

/// `width` elements in at most `limit` > 0 chunks; none if there are no elements.
Chunks in_chunks(ir::Builder& builder, const ir::Atom& width, const ir::Atom& limit, const std::string& base = "chunk");
/// Of one of the chunks, `number` from 0 on. Its count has the attribute `is_size`: nobody needs to check that it is not negative.
Chunk chunk_of(ir::Builder& builder, const Chunks& chunks, const ir::Atom& width, const ir::Atom& number);
/// A view of each array.
std::vector<ir::Name> elements_of(ir::Builder& builder, const Chunk& chunk, const std::vector<ir::Name>& arrays);
/// x divided by y > 0, rounded up; both are at least 0.
ir::Atom divided_up(ir::Builder& builder, std::string_view base, const ir::Atom& x, const ir::Atom& y);
/// x * y, which counts elements or pieces that there are, or is the index of one: it is not negative and does not overflow, and has the
/// attribute `is_size` to say so. One that the builder has already is that.
ir::Atom count(ir::Builder& builder, std::string_view base, const ir::Atom& x, const ir::Atom& y);

inline std::vector<ir::Atom> as_atoms(const std::vector<ir::Name>& names) { return {names.begin(), names.end()}; }

}  // namespace boustro::parallel
