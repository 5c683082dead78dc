-- Loops whose steps make a few elements only: on a GPU one thread runs them (transform/parallel/alone). Entries say whether what comes out
-- agrees with what is known of it, or reverse with forward mode.

def close (x: f64) (y: f64) : bool = f64.abs (x - y) <= 1e-9 * (1 + f64.abs y)

def close_rows [n] [m] (xss: [n][m]f64) (yss: [n][m]f64) : bool = and (map2 (\xs ys -> and (map2 close xs ys)) xss yss)

-- | Fibonacci's numbers.
-- ==
-- entry: fibonacci
-- input { 10i64 } output { [55i64, 89i64] }
-- input { 0i64 } output { [0i64, 1i64] }
-- input { -3i64 } output { [0i64, 1i64] }
entry fibonacci (n: i64) : [2]i64 = loop x = [0, 1] for _i < n do [x[1], x[0] + x[1]]

-- | A while loop, whose condition only the thread knows; and what follows from how often it ran.
-- ==
-- entry: doublings
-- input { 100i64 } output { [128i64, 127i64] 7i64 [1i64, 2i64, 4i64, 8i64, 16i64, 32i64, 64i64] }
-- input { 1i64 } output { [1i64, 0i64] 0i64 empty([0]i64) }
entry doublings (n: i64) : ([2]i64, i64, []i64) =
  let (x, count) = loop (x, count) = ([1, 0], 0) while x[0] < n do (map2 (+) (map (2 *) x) [0, 1], count + 1)
  in (x, count, tabulate count (\i -> 1 << i))

-- | Every state of a loop, in rows.
-- ==
-- entry: states
-- input { 4i64 } output { [[1i64, 0i64], [1i64, 1i64], [1i64, 2i64], [1i64, 3i64]] }
-- input { 0i64 } output { empty([0][2]i64) }
entry states (n: i64) : [n][2]i64 =
  (loop (x, log) = ([1, 0], replicate n [0, 0]) for i < n do ([1, x[1] + 1], log with [i] = x)).1

-- ==
-- entry: states
-- input { -1i64 } error: negative

-- | A division by zero in the thread.
-- ==
-- entry: divided
-- input { [12i64, 4i64] 2i64 } output { [1i64, 3i64] }
-- input { [12i64, 0i64] 2i64 } error: division by zero
entry divided (x: [2]i64) (n: i64) : [2]i64 = loop x for _i < n do [x[0] / x[1], 3 % (x[0] + x[1])]

-- | Between larger arrays, which the thread reads, and which read what it makes.
-- ==
-- entry: between
-- input { [3i64, 1i64, 2i64, 5i64] } output { [25i64, 23i64, 24i64, 27i64] [22i64, 12i64] }
-- input { empty([0]i64) } output { empty([0]i64) [0i64, 0i64] }
entry between [n] (xs: [n]i64) : ([n]i64, [2]i64) =
  let ys = map (* 2) xs
  let a = loop a = [0, 0] for i < n do [a[0] + ys[i], a[0]]
  let zs = map (+ a[0]) xs
  in (zs, a)

def oscillate (n: i64) (x: [2]f64) : [2]f64 =
  loop x for i < n do [x[0] + 0.1 * x[1], x[1] - 0.1 * f64.sin x[0] + 0.01 * f64.i64 (i % 3)]

-- | Both derivatives of a loop that keeps its states for the return sweep.
-- ==
-- entry: loops_agree searches_agree
-- input { 20i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry loops_agree (n: i64) : bool =
  let units = [[1, 0], [0, 1]]
  let rows = map (vjp (oscillate n) [0.3, 0.7]) units
  let columns = map (jvp (oscillate n) [0.3, 0.7]) units
  in close_rows rows (transpose columns)

-- | Of a search, by as many steps as it takes.
def search (y: [2]f64) : f64 =
  let (x, _) = loop (x, going) = (y, true) while going do
    let next = [x[0] - 0.5 * (x[0] * x[0] - y[0]) / x[0], 0.5 * x[1] + y[1]]
    in (next, f64.abs (next[0] - x[0]) > 1e-3)
  in x[0] * x[1]

entry searches_agree (n: i64) : bool =
  let y = [2 + f64.i64 n, 0.5]
  let gradient = vjp search y 1
  in close gradient[0] (jvp search y [1, 0]) && close gradient[1] (jvp search y [0, 1])

-- | Gradients inside of a search, which take other loops.
-- ==
-- entry: descents
-- input { [0.5, -1.0] } output { true }
entry descents (target: [2]f64) : bool =
  let cost x = f64.sum (map2 (\a b -> (a - b) * (a - b)) (oscillate 3 x) target)
  let start = [0.0, 0.0]
  let (x, _) = loop (x, k) = (start, 0i32) while k < 200 && cost x > 1e-12 do (map2 (\a g -> a - 0.3 * g) x (vjp cost x 1), k + 1)
  in cost x < 1e-9
