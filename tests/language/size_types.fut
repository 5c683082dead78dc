-- Size types: parameters, anonymous, existential and computed sizes, coercions, abbreviations with sizes.

type matrix [n] [m] 'a = [n][m]a

def rows [n] [m] 'a (_: matrix [n] [m] a) = n

def evens (n: i64) : ?[k].[k]i64 = filter (\i -> i % 2 == 0) (iota n)

def pairs [n] 'a (xs: [n * 2]a) : [n](a, a) = zip (xs[::2] :> [n]a) (xs[1::2] :> [n]a)

-- ==
-- entry: computed
-- input { [1, 2, 3, 4] } output { [1, 3] [2, 4] [1, 2, 3, 4, 1, 2, 3, 4] 2i64 }
entry computed [n] (xs: [n]i32) =
  let ps = pairs (xs :> [(n / 2) * 2]i32)
  let doubled : [n + n]i32 = xs ++ xs
  in (map (.0) ps, map (.1) ps, doubled, rows (unflatten (xs :> [2 * (n / 2)]i32)))

-- ==
-- entry: existential
-- input { 5i64 } output { 3i64 [0i64, 2i64, 4i64, 0i64, 2i64, 4i64] 6i64 }
entry existential (n: i64) =
  let [k] (es: [k]i64) = evens n
  let both = es ++ es
  in (k, both, length both)

def size_from (k: i64) : [k + 1]i64 = iota (k + 1)

-- ==
-- entry: of_values
-- input { 2i64 } output { [0i64, 1i64, 2i64] [[0i64, 0i64], [1i64, 1i64], [2i64, 2i64]] }
entry of_values (k: i64) = (size_from k, map (replicate 2) (size_from k))
