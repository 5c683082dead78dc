-- Points that go through rows of their own, which blocks bring to shared memory: rows that are too short and too long for that, blocks with
-- fewer rows than threads, and no rows at all. What is expected reads the rows in another order, where they are.

def near (x: f64) (y: f64) = f64.abs (x - y) < 1e-9

-- ==
-- entry: polynomials
-- random input { [300][7]f64 } output { true }
-- random input { [300][8]f64 } output { true }
-- random input { [257][23]f64 } output { true }
-- random input { [1][24]f64 } output { true }
-- random input { [129][40]f64 } output { true }
-- random input { [65][64]f64 } output { true }
-- random input { [33][190]f64 } output { true }
-- random input { [33][200]f64 } output { true }
-- random input { [5][0]f64 } output { true }
-- random input { [0][5]f64 } output { true }
entry polynomials [n] [d] (xss: [n][d]f64) : bool =
  let at_half xs = loop y = 0 for t < d do y * 0.5 + xs[t]
  let ys = map at_half xss
  in and (tabulate n (\i -> near ys[n - 1 - i] (at_half xss[n - 1 - i])))

-- Elements narrower than a word; several of them are in one bank.
-- ==
-- entry: bytes
-- random input { [300][31]i8 } output { true }
-- random input { [300][32]i8 } output { true }
-- random input { [300][37]i8 } output { true }
-- random input { [257][129]i8 } output { true }
-- random input { [40][1536]i8 } output { true }
entry bytes [n] [d] (xss: [n][d]i8) : bool =
  let hash xs = loop h = 7 for t < d do h * 31 + i32.i8 xs[t]
  let hs = map hash xss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xss[n - 1 - i]))

-- ==
-- entry: flags
-- random input { [300][33]bool } output { true }
-- random input { [100][250]bool } output { true }
entry flags [n] [d] (xss: [n][d]bool) : bool =
  let longest xs = (loop (best, here) = (0i32, 0i32) for t < d do if xs[t] then (i32.max best (here + 1), here + 1) else (best, 0)).0
  let ls = map longest xss
  in and (tabulate n (\i -> ls[n - 1 - i] == longest xss[n - 1 - i]))

-- ==
-- entry: shorts
-- random input { [300][21]i16 } output { true }
-- random input { [64][22]i16 } output { true }
entry shorts [n] [d] (xss: [n][d]i16) : bool =
  let hash xs = loop h = 7 for t < d do h * 31 + i32.i16 xs[t]
  let hs = map hash xss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xss[n - 1 - i]))

-- Several arrays, with rows of different lengths, and elements of different types, of which only some are staged.
-- ==
-- entry: several
-- random input { [300][9]i64 [300][4]i64 [300][11]i32 } output { true }
-- random input { [257][12]i64 [257][0]i64 [257][1]i32 } output { true }
-- random input { [300][0]i64 [300][12]i64 [300][1]i32 } output { true }
-- random input { [40][96]i64 [40][95]i64 [40][3]i32 } output { true }
-- random input { [40][96]i64 [40][97]i64 [40][3]i32 } output { true }
entry several [n] [d] [e] [f] (xss: [n][d]i64) (yss: [n][e]i64) (zss: [n][f]i32) : bool =
  let hash xs ys zs =
    let h = loop h = 7 for t < d do h * 31 + xs[t]
    let h = loop h for t < e do h * 31 + ys[t]
    in loop h for t < f do h * 31 + i64.i32 zs[t]
  let hs = map3 hash xss yss zss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xss[n - 1 - i] yss[n - 1 - i] zss[n - 1 - i]))

-- Rows of two dimensions.
-- ==
-- entry: matrices
-- random input { [300][3][5]i32 } output { true }
-- random input { [33][1][40]i32 } output { true }
-- random input { [33][20][0]i32 } output { true }
entry matrices [n] [m] [d] (xsss: [n][m][d]i32) : bool =
  let hash xss = loop h = 7 for j < m do loop h for t < d do h * 31 + xss[j, t]
  let hs = map hash xsss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xsss[n - 1 - i]))

-- Of a constant length.
-- ==
-- entry: constant
-- random input { [300][12]i32 } output { true }
entry constant [n] (xss: [n][12]i32) : bool =
  let hash xs = loop h = 7 for t < 12 do h * 31 + xs[t]
  let hs = map hash xss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xss[n - 1 - i]))

-- From the end to the beginning.
-- ==
-- entry: backwards
-- random input { [300][21]i32 } output { true }
entry backwards [n] [d] (xss: [n][d]i32) : bool =
  let hash xs = loop h = 7 for t < d do h * 31 + xs[d - 1 - t]
  let hs = map hash xss
  in and (tabulate n (\i -> hs[n - 1 - i] == hash xss[n - 1 - i]))

-- What is not one row behind the other is read where it is.
-- ==
-- entry: views
-- random input { [40][300]i32 } output { true }
-- random input { [300][40]i32 } output { true }
entry views [n] [d] (xss: [n][d]i32) : bool =
  let hash [k] (xs: [k]i32) = loop h = 7 for t < k do h * 31 + xs[t]
  let of_columns = map hash (transpose xss)
  let of_ends = map hash xss[:, 2:]
  let of_last = map hash xss[2:]
  let from_last = map hash (reverse xss)
  in and (tabulate d (\j -> of_columns[d - 1 - j] == hash (transpose xss)[d - 1 - j]))
     && and (tabulate n (\i -> of_ends[n - 1 - i] == hash xss[n - 1 - i, 2:] && from_last[n - 1 - i] == hash xss[i]))
     && and (tabulate (n - 2) (\i -> of_last[n - 3 - i] == hash xss[n - 1 - i]))

-- The nearest of few centres, whose coordinates all points read, and its distance to the whole row at once.
-- ==
-- entry: nearest
-- random input { [300][9]f64 [3][9]f64 } output { true }
-- random input { [64][40]f64 [2][40]f64 } output { true }
entry nearest [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : bool =
  let distance p c = f64.sum (map2 (\x y -> (x - y) ** 2) p c)
  let near_ones = map (\p -> f64.minimum (map (distance p) centres)) points
  in and (tabulate n (\i -> near near_ones[n - 1 - i] (f64.minimum (map (distance points[n - 1 - i]) centres))))

-- What a row says may be wrong: its thread leaves when all rows are there. So does one after a kernel that has failed.
-- ==
-- entry: looked_up
-- input { [[0i64, 1, 2, 0, 1, 2, 0, 1, 2], [2, 2, 2, 2, 2, 2, 2, 2, 2]] [1i64, 10, 100] } output { [333i64, 900] }
-- input { [[0i64, 1, 2, 0, 1, 2, 0, 3, 2], [2, 2, 2, 2, 2, 2, 2, 2, 2]] [1i64, 10, 100] } error: out of bounds
-- input { [[0i64, 1, 2], [2, 2, -1]] [1i64, 10, 100] } error: out of bounds
-- input { empty([0][9]i64) [1i64] } output { empty([0]i64) }
entry looked_up [n] [d] [m] (iss: [n][d]i64) (values: [m]i64) : [n]i64 =
  map (\is -> loop s = 0 for t < d do s + values[is[t]]) iss

-- ==
-- entry: looked_up_twice
-- input { [[0i64, 1, 2, 0, 1, 2, 0, 1, 2], [2, 2, 2, 2, 2, 2, 2, 2, 2]] [1i64, 0, 2] } output { [10i64, 10] }
-- input { [[0i64, 1, 2, 0, 1, 2, 0, 1, 2], [2, 2, 2, 2, 2, 2, 2, 2, 2]] [1i64, 10, 2] } error: out of bounds
-- input { [[0i64, 1, 2, 0, 1, 2, 0, 1, 3], [2, 2, 2, 2, 2, 2, 2, 2, 2]] [1i64, 0, 2] } error: out of bounds
entry looked_up_twice [n] [d] [m] (iss: [n][d]i64) (values: [m]i64) : [n]i64 =
  let next = map (\v -> (values[v] + 2) % 3) values
  let firsts = map (\v -> values[v]) next
  in map (\is -> loop s = firsts[0] - 1 for t < d do (s + next[is[t]]) % 11) iss

-- A row that its own result replaces stays where it is.
-- ==
-- entry: replaced
-- random input { [40][20]i32 } output { true }
entry replaced [n] [d] (xss: [n][d]i32) : bool =
  let step xs = let h = loop h = 7i32 for t < d do h * 31 + xs[t] in map (+ h) xs
  let all = loop yss = copy xss for _k < 3 do map step yss
  in and (tabulate n (\i -> and (map2 (==) all[n - 1 - i] (loop ys = copy xss[n - 1 - i] for _k < 3 do step ys))))

-- | As many points as threads: rows are brought to shared memory although several threads could share the sums of a point. Each thread finds the
-- nearest of few centres; what is expected is told by one of them alone.
-- ==
-- entry: nearest_of_many
-- random input { [262144][9]i32 [2][9]i32 } output { true }
-- random input { [1000][9]i32 [2][9]i32 } output { true }
entry nearest_of_many [n] [k] [d] (xss: [n][d]i32) (centres: [k][d]i32) : bool =
  let distance xs c = i32.sum (map2 (\x y -> (x ^ y) & 1023) xs c)
  let least = map (\xs -> i32.minimum (map (distance xs) centres)) xss
  let backwards xs c = loop total = 0 for t < d do total + ((xs[d - 1 - t] ^ c[d - 1 - t]) & 1023)
  in and (map2 (\xs l -> l == i32.min (backwards xs centres[0]) (backwards xs centres[1])) xss least)
