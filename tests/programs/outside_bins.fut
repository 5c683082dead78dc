-- Additions all of whose indices are known to be outside of one of several arrays, or of all of them: the index is the array's size.

-- | Points add to one of two arrays, whichever comes first.
-- ==
-- entry: second_of_two
-- input { 7i64 [1.0, 2.0, 3.0, 4.0, 5.0] [10.0, 20.0, 30.0] [2i64, 0i64, 2i64, 1i64, 2i64] [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [0.0, 0.0, 0.0, 0.0, 0.0] [40.0, 160.0, 540.0] }
-- input { 7i64 [1.0] [10.0, 20.0] [1i64] [0.5] } output { [0.0] [0.0, 20.0] }
-- input { 7i64 empty([0]f64) [10.0] empty([0]i64) empty([0]f64) } output { empty([0]f64) [0.0] }
entry second_of_two [n] [m] (k: i64) (as: [n]f64) (bs: [m]f64) (is: [n]i64) (seed: [n]f64) : ([n]f64, [m]f64) =
  vjp (\(as, bs) -> map (\i -> bs[i] * bs[i] + if i == k then as[n] else 0) is) (as, bs) seed

-- ==
-- entry: first_of_two
-- input { 7i64 [1.0, 2.0, 3.0, 4.0, 5.0] [10.0, 20.0, 30.0] [2i64, 0i64, 2i64, 1i64, 2i64] [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [40.0, 160.0, 540.0] [0.0, 0.0, 0.0, 0.0, 0.0] }
entry first_of_two [n] [m] (k: i64) (as: [n]f64) (bs: [m]f64) (is: [n]i64) (seed: [n]f64) : ([m]f64, [n]f64) =
  vjp (\(bs, as) -> map (\i -> bs[i] * bs[i] + if i == k then as[n] else 0) is) (bs, as) seed

-- | What is left are two of three, narrower than those that nobody adds to.
-- ==
-- entry: two_of_three
-- input { 7i64 [1f32, 2f32, 3f32, 4f32, 5f32] [1f32, 2f32, 3f32] [5f32, 6f32] [2i64, 0i64, 2i64, 1i64, 2i64] [1f32, 2f32, 3f32, 4f32, 5f32] }
-- output { [10f32, 24f32, 45f32] [0f32, 0f32, 0f32, 0f32, 0f32] [29f32, 8f32] }
entry two_of_three [n] [m] [l] (k: i64) (as: [n]f32) (bs: [m]f32) (cs: [l]f32) (is: [n]i64) (seed: [n]f32) : ([m]f32, [n]f32, [l]f32) =
  vjp (\(bs, as, cs) -> map (\i -> bs[i] * cs[i % 2] + if i == k then as[n] else 0) is) (bs, as, cs) seed

-- | Nobody adds to the only array; an index of what would be added is checked all the same.
-- ==
-- entry: none
-- input { [2i64, 0i64, 1i64] [5i32, 6i32, 7i32] } output { [0i32, 0i32, 0i32] }
-- input { [2i64, 3i64, 1i64] [5i32, 6i32, 7i32] } error: .
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i32) }
entry none [n] (is: [n]i64) (vs: [n]i32) : [n]i32 = reduce_by_index (replicate n 0) (+) 0 (map (const n) is) (map (\i -> vs[i]) is)

-- ==
-- entry: none_of_pairs
-- input { [2i64, 0i64, 1i64] [5f32, 6f32, 7f32] } output { [0f32, 0f32, 0f32] [0f32, 0f32, 0f32] }
-- input { [2i64, -1i64, 1i64] [5f32, 6f32, 7f32] } error: .
entry none_of_pairs [n] (is: [n]i64) (vs: [n]f32) : ([n]f32, [n]f32) =
  unzip (hist (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) n (map (const n) is) (map (\i -> (vs[i], 2 * vs[i])) is))

-- ==
-- entry: none_vjp
-- input { [2i64, 0i64, 1i64] [5.0, 6.0, 7.0] [1.0, 2.0, 3.0] } output { [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
entry none_vjp [n] (is: [n]i64) (vs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (\vs -> reduce_by_index (replicate n 0) (+) 0 (map (const n) is) (map (\i -> vs[i] * vs[i]) is)) vs seed

-- | Of histograms of one width, one has as many bins as there are values.
def bins [n] (m: i64) (is: [n]i64) (vs: [n]f64) : ([n]f64, [m]f64) = (hist (+) 0 n is vs, hist (+) 0 m is vs)

-- ==
-- entry: as_wide
-- input { 2i64 [3i64, 0i64, 1i64, 1i64, -1i64] [1.0, 2.0, 3.0, 4.0, 5.0] } output { [2.0, 7.0, 0.0, 1.0, 0.0] [2.0, 7.0] }
-- input { 2i64 empty([0]i64) empty([0]f64) } output { empty([0]f64) [0.0, 0.0] }
entry as_wide [n] (m: i64) (is: [n]i64) (vs: [n]f64) : ([n]f64, [m]f64) = bins m is vs

-- ==
-- entry: as_wide_vjp
-- input { 2i64 [3i64, 0i64, 1i64, 1i64, -1i64] [1.0, 2.0, 3.0, 4.0, 5.0] [1.0, 2.0, 3.0, 4.0, 5.0] [10.0, 20.0] }
-- output { [4.0, 11.0, 22.0, 22.0, 0.0] }
entry as_wide_vjp [n] (m: i64) (is: [n]i64) (vs: [n]f64) (xs_seed: [n]f64) (ys_seed: [m]f64) : [n]f64 = vjp (bins m is) vs (xs_seed, ys_seed)
