-- Test blocks whose input is an expression.

type~ vector = {elements: []i64, scale: i64}

-- ==
-- entry: scaled
-- script input { make 3i64 (1 + 1) } output { [0i64, 2i64, 4i64] }
-- script input { {elements = evens 2i64, scale = 5i64} } output { [0i64, 10i64] }
-- script input { let s = 7i64 in {elements = [1i64], scale = s} } output { [7i64] }
entry scaled (v: vector) = map (* v.scale) v.elements

entry make (n: i64) (scale: i32) : vector = {elements = iota n, scale = i64.i32 scale}
entry evens (n: i64) = map (* 2) (iota n)

-- ==
-- entry: plus
-- script input { $loaddata "data/script.in" } output { [4i64, 5i64] }
-- script input @ data/evens.script
-- output { [-1i64, 1i64, 3i64] }
entry plus (xs: []i64) (y: i64) = map (+ y) xs

-- ==
-- entry: count
-- script input { $loadbytes "data/script.in" } output { 18i64 }
entry count (bytes: []u8) = length bytes
