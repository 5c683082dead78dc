-- Scalars between kernels: who computes them, and where. Functions of numbers that the host knows, tables, elements, numbers that the
-- host waits for, and those that only kernels need.

def steps (n: i64) : i64 =
  let (k, _) = loop (k, m) = (0, n) while m > 1 do (k + 1, m / 2)
  in k

def colour (r: f32) (g: f32) : u32 = (u32.f32 (r * 255) << 8) | u32.f32 (g * 255)

-- Functions, loops and all, of what the host knows.
-- ==
-- entry: on_host
-- input { [1f32, 2f32, 3f32, 4f32, 5f32] } output { [65284f32, 65286f32, 65288f32, 65290f32, 65292f32] 2i64 }
-- input { empty([0]f32) } output { empty([0]f32) 0i64 }
entry on_host [n] (xs: [n]f32) : ([n]f32, i64) =
  let k = steps n
  let c = colour 1 0.01
  in (map (\x -> f32.u32 c + f32.i64 k * x - 2 * f32.bool (k == 0)) xs, k)

def weights : [3][3]f64 = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
def digits : []i32 = [3, 1, 4, 1, 5, 9, 2, 6]

-- Tables: of rows, by indices that threads know, as input of a library call, as what a loop begins with.
-- ==
-- entry: of_tables
-- input { [[1f64, 0f64], [0f64, 2f64]] [0i64, 5i64, 7i64] }
-- output { [[6f64, 6f64], [6f64, 9f64]] [3i32, 9i32, 6i32] [3i32, 4i32, 8i32, 9i32, 14i32, 23i32, 25i32, 31i32]
--          [12i32, 4i32, 16i32, 4i32, 20i32, 36i32, 8i32, 24i32] }
entry of_tables [n] [k] (xs: [n][n]f64) (is: [k]i64) : ([n][n]f64, [k]i32, []i32, []i32) =
  let smooth i j =
    f64.sum (flatten (tabulate_2d 3 3 (\a b ->
      let (r, c) = (i + a - 1, j + b - 1)
      in if r >= 0 && r < n && c >= 0 && c < n then weights[a, b] * xs[r, c] else 0)))
  in ( tabulate_2d n n (\i j -> smooth i j)
     , map (\i -> digits[i %% 8]) is
     , scan (+) 0 digits
     , copy (loop ds = digits for _i < n do map (* 2) ds) )

-- A table that is a result, and one that is updated: they are made where they are needed.
-- ==
-- entry: of_copies
-- input { 7i32 } output { [1i32, 2i32, 3i32] [7i32, 2i32, 3i32] [7i32, 9i32, 9i32] }
entry of_copies (x: i32) : ([]i32, []i32, []i32) =
  let numbers : []i32 = [1, 2, 3]
  in (copy numbers, copy numbers with [0] = x, [9, 9, 9] with [0] = x)

-- The same elements as in a table before, and such as C++ has no constants for.
-- ==
-- entry: of_limits
-- input { [0i64, 1i64, 2i64] } output { [3i32, 1i32, 4i32] [f64.inf, -f64.inf, 0.5f64] [1f16, 2f16, 0.5f16] }
entry of_limits [n] (is: [n]i64) : ([n]i32, [n]f64, [n]f16) =
  let again : []i32 = [3, 1, 4, 1, 5, 9, 2, 6]
  in unzip3 (map (\i -> (again[i %% 8], [f64.inf, -f64.inf, 0.5][i %% 3], [1f16, 2, 0.5][i %% 3])) is)

-- What follows from totals, for kernels only: mean and deviation.
-- ==
-- entry: normalised
-- input { [1f64, 3f64] } output { [-1f64, 1f64] [-1f64, 0f64] }
-- input { [2f64] } output { [0f64] [0f64] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry normalised [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  let mean = f64.sum xs / f64.i64 n
  let squares = f64.sum (map (\x -> x * x) xs) / f64.i64 n
  let deviation = f64.sqrt (squares - mean * mean)
  let ys = map (\x -> if deviation == 0 then 0 else (x - mean) / deviation) xs
  in (ys, scan (+) 0 ys)

-- Elements of arrays: of one that stays as it is, of one that is updated before the element is needed, by an index that is out
-- of bounds.
-- ==
-- entry: of_elements
-- input { [4f64, 5f64, 6f64] 1i64 } output { [20f64, 25f64, 30f64] [24f64, 9f64, 36f64] }
-- input { [4f64] 1i64 } error: out of bounds
entry of_elements [n] (xs: [n]f64) (i: i64) : ([n]f64, [n]f64) =
  let x = xs[i]
  let ys = map (* x) xs
  let zs = map (* 6) xs
  let z = zs[0]
  let zs = zs with [1] = z - 15
  in (ys, zs)

-- The host's control flow: a condition of two totals, a branch of what an element says, as many steps as a total.
-- ==
-- entry: controlled
-- input { [1f64, 2f64, 3f64] } output { [8f64, 16f64, 24f64] 3i64 48f64 }
-- input { [-1f64] } output { [-1f64] 0i64 -1f64 }
-- input { empty([0]f64) } output { empty([0]f64) 0i64 0f64 }
entry controlled [n] (xs: [n]f64) : ([n]f64, i64, f64) =
  let (ys, k) =
    loop (ys, k) = (xs, 0) while f64.sum ys < 40 && f64.maximum ys > 0 && k < 10 do (map (* 2) ys, k + 1)
  let first = if n > 0 then ys[0] else 0
  let steps = i64.sum (map i64.f64 ys) %% 3
  let ys = loop ys = ys for _i < steps do map (+ 1) ys
  let total = f64.sum ys
  in if first > 100 then (map (+ total) ys, k, total) else (ys, k, total)

-- A filter: the host waits for how much is kept.
-- ==
-- entry: kept
-- input { [3i64, -1i64, 4i64, -2i64] 2i64 } output { [9i64, 10i64] 2i64 }
-- input { [-3i64] 2i64 } output { empty([0]i64) 0i64 }
-- input { empty([0]i64) 2i64 } output { empty([0]i64) 0i64 }
entry kept [n] (xs: [n]i64) (k: i64) : ([]i64, i64) =
  let ys = filter (> 0) xs
  in (map (+ (k + i64.sum (take (i64.min 1 (length ys)) ys) + 1 + i64.bool (length ys > 2))) ys, length ys)

-- Sizes that follow from sizes: the host waits for one number each, and computes what lies between.
-- ==
-- entry: kept_twice
-- input { [5i64, 2i64, 9i64, 4i64, 7i64] } output { [1i64, 2i64, 0i64] 3i64 true }
-- input { [2i64] } output { empty([0]i64) 0i64 false }
entry kept_twice [n] (xs: [n]i64) : ([]i64, i64, bool) =
  let odd = filter (\x -> x % 2 == 1) xs
  let k = i64.max 1 (length odd)
  let shifted = map (\x -> (x + k) % 5) odd
  let small = filter (\x -> x < k + 1) shifted
  let j = length small
  in (map (\i -> (i + 1) % i64.max 1 j) (indices small), j, j > 1)

-- A sum of copies of a number, which is used beside the sum, too: the library call reads it twice.
-- ==
-- entry: sum_of_copies
-- input { [2f64, 0.5f64] [7i32, 8i32, 9i32] } output { 8f64 }
-- input { [3f64] empty([0]i32) } output { 1.5f64 }
entry sum_of_copies [n] [k] (xs: [n]f64) (is: [k]i32) : f64 =
  loop s = 0.5 for i < n do f64.sum (map (\_ -> s * xs[i]) is) + s * xs[i]
