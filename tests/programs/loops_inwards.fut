-- Loops of rows that are computed element by element: on a GPU each thread runs the loop for its element, if no element needs another
-- one. The expected values were computed apart from this program, those of `gradient` by dual numbers.

-- | Different weights, so that no element stands for another one.
def weighed [b] (row: [b]i64) : i64 = i64.sum (map2 (\j x -> (j % 13 + 1) * x) (iota b) row)

-- | Each layer takes what the one before gave out.
-- ==
-- entry: layers
-- input { 4i64 2i64 3i64 } output { [223i64, 282i64] }
-- input { 0i64 2i64 3i64 } output { [8i64, 11i64] }
-- input { 4i64 0i64 3i64 } output { empty([0]i64) }
-- input { 4i64 2i64 0i64 } output { [0i64, 0i64] }
-- input { 5i64 3i64 1i64 } output { [99i64, 18i64, 70i64] }
-- input { 7i64 2i64 1000i64 } output { [318726i64, 316829i64] }
entry layers (n: i64) (l: i64) (b: i64) : [l]i64 =
  let xss = tabulate_2d n b (\s j -> (s * b + j) % 7 - 3)
  let start = tabulate_2d l b (\i j -> (i * b + j) % 5)
  let state =
    loop state = copy start for s < n do
      (loop (state, x) = (state, xss[s]) for i < l do
         let y = map2 (\x y -> (3 * y + x + i) % 101) x (copy state[i])
         in (state with [i] = y, y)).0
  in map weighed state

-- | Of each step the least element is known before, and the sum of the state is needed behind it.
-- ==
-- entry: sums_by_step
-- input { 4i64 3i64 } output { 641i64 1873i64 }
-- input { 0i64 3i64 } output { 8i64 1i64 }
-- input { 3i64 1i64 } output { 0i64 27i64 }
-- input { 4i64 0i64 } output { 0i64 81i64 }
-- input { 40i64 1000i64 } output { 3464651i64 31635i64 }
entry sums_by_step (n: i64) (b: i64) : (i64, i64) =
  let xss = tabulate_2d n b (\s j -> (s * b + j) * 5 % 17 - 8)
  let (row, total) =
    loop (row, total) = (tabulate b (% 4), 1) for s < n do
      let least = i64.minimum xss[s]
      let row = map2 (\x y -> (2 * x + y - least) % 1009) row xss[s]
      in (row, (3 * total + i64.sum row) % 1000003)
  in (weighed row, total)

-- | Each element needs its neighbour of the step before.
-- ==
-- entry: neighbours
-- input { 3i64 4i64 } output { 414i64 }
-- input { 0i64 4i64 } output { 20i64 }
-- input { 3i64 0i64 } output { 0i64 }
-- input { 2i64 1i64 } output { 0i64 }
-- input { 5i64 1000i64 } output { 4235826i64 }
entry neighbours (n: i64) (b: i64) : i64 =
  weighed (loop row = tabulate b (% 6) for _s < n do map (\j -> (row[(j + 1) % b] + 2 * row[j]) % 1009) (iota b))

-- | All rows are kept.
-- ==
-- entry: rows_of_all_steps
-- input { 3i64 2i64 4i64 } output { 18960i64 }
-- input { 0i64 2i64 4i64 } output { 0i64 }
-- input { 3i64 0i64 4i64 } output { 0i64 }
-- input { 3i64 2i64 0i64 } output { 0i64 }
-- input { 3i64 4i64 1000i64 } output { 119641536i64 }
entry rows_of_all_steps (n: i64) (m: i64) (b: i64) : i64 =
  let (log, _) =
    loop (log, row) = (replicate n (replicate m (replicate b 0)), tabulate b (% 6)) for i < n do
      loop (log, row) = (log, row) for j < m do
        let row = map (\x -> (2 * x + i * j) % 1009) row
        in (log with [i, j] = row, row)
  in i64.sum (map2 (\i rows -> i64.sum (map2 (\j row -> (i + 1) * (j + 2) * weighed row) (iota m) rows)) (iota n) log)

def objective [n] [l] [b] (xss: [n][b]f64) (weights: [l][b]f64) : f64 =
  (loop (state, total) = (replicate l (replicate b 1), 0) for s < n do
     let (state, x) =
       loop (state, x) = (state, xss[s]) for i < l do
         let y = map3 (\y w x -> y * w + x) (copy state[i]) weights[i] x
         in (state with [i] = y, y)
     in (state, total + f64.i64 (s + 1) * f64.sum (map (\x -> x * x) x))).1

-- ==
-- entry: gradient
-- input { 3i64 2i64 3i64 } output { [-324f64, -464f64] }
-- input { 1i64 2i64 3i64 } output { [-4f64, -4f64] }
-- input { 0i64 2i64 3i64 } output { [0f64, 0f64] }
-- input { 3i64 0i64 3i64 } output { empty([0]f64) }
-- input { 3i64 2i64 0i64 } output { [0f64, 0f64] }
-- input { 2i64 3i64 1i64 } output { [-4f64, -4f64, -4f64] }
-- input { 4i64 2i64 1000i64 } output { [145747034f64, 145747034f64] }
entry gradient (n: i64) (l: i64) (b: i64) : [l]f64 =
  let xss = tabulate_2d n b (\s j -> f64.i64 ((s * b + j) % 5 - 2))
  let weights = tabulate_2d l b (\i j -> f64.i64 ((i * b + j) % 4 - 1))
  in map (\row -> f64.sum (map2 (\j x -> f64.i64 (j % 13 + 1) * x) (iota b) row)) (vjp (objective xss) weights 1)
