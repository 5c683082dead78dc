-- Results whose sizes depend on data: the entries allocate them.

-- ==
-- entry: evens
-- input { [1i64, 2i64, 3i64, 4i64] } output { [2i64, 4i64] }
-- input { [1i64] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
entry evens (xs: []i64) : []i64 = filter (\x -> x % 2 == 0) xs

-- Both parts and how many there are; the second size follows from the first.

-- ==
-- entry: parts
-- input { [1i64, -2i64, 3i64] } output { [1i64, 3i64] [-2i64] 1i64 }
-- input { [-1i64] } output { empty([0]i64) [-1i64] -1i64 }
entry parts (xs: []i64) : ([]i64, []i64, i64) =
  let (yes, no) = partition (> 0) xs
  in (yes, no, length yes - length no)

-- A record of arrays of one size, rows of a size that is known.

-- ==
-- entry: positive_rows
-- input { [[1.0, 2.0], [-1.0, 5.0], [3.0, 4.0]] [7i64, 8i64, 9i64] }
-- output { [[1.0, 2.0], [3.0, 4.0]] [7i64, 9i64] }
entry positive_rows [n] [m] (xss: [n][m]f64) (tags: [n]i64) : ([][m]f64, []i64) =
  zip xss tags |> filter (\(xs, _) -> all (> 0) xs) |> unzip

-- Sizes that an array holds, and numbers that a branch decides.

-- ==
-- entry: square
-- input { [2i64, 5i64] 0i64 } output { [[0i64, 1i64], [1i64, 2i64]] }
-- input { [2i64, 1i64] 1i64 } output { [[0i64]] }
-- input { [-1i64] 0i64 } error: negative
-- input { [2i64, 1i64] 2i64 } error: out of bounds
entry square (ns: []i64) (i: i64) : [][]i64 =
  let n = ns[i]
  in tabulate_2d n n (\i j -> i + j)

-- ==
-- entry: either
-- input { true [1i64, 2i64, 3i64] } output { [1i64, 3i64] }
-- input { false [1i64, 2i64, 3i64] } output { [1i64, 2i64, 3i64, 0i64] }
entry either (b: bool) (xs: []i64) : []i64 =
  if b then filter (\x -> x % 2 == 1) xs else xs ++ [0]

-- ==
-- entry: found
-- input { [3i64, 0i64, 2i64] } output { [0i64, 1i64, 2i64] }
-- input { [0i64] } output { [-1i64] }
entry found (xs: []i64) : []i64 =
  let best = reduce i64.max 0 xs
  in match best
     case 0 -> [-1]
     case n -> iota n

-- A result that a loop makes longer, and a second one that changes with the first.

-- ==
-- entry: collatz
-- input { 6i64 } output { [6i64, 3i64, 10i64, 5i64, 16i64, 8i64, 4i64, 2i64, 1i64] }
-- input { 1i64 } output { [1i64] }
entry collatz (n: i64) : []i64 =
  let (xs, _) = loop (xs, x) = ([n], n) while x > 1 do
                  let next = if x % 2 == 0 then x / 2 else 3 * x + 1
                  in (xs ++ [next], next)
  in xs

-- A check that fails after something has been allocated.

-- ==
-- entry: looked_up
-- input { [1i64, 2i64] [5.0, 6.0, 7.0] } output { [6.0, 7.0] }
-- input { [1i64, 4i64] [5.0, 6.0, 7.0] } error: out of bounds
entry looked_up (is: []i64) (xs: []f64) : []f64 =
  let kept = filter (> 0) is
  in map (\i -> xs[i]) kept

-- Truth values, which libraries like to pack.
entry flags [n] (xs: [n]i32) (bs: [n]bool) : ([]bool, []i32) =
  filter (\(_, b) -> b) (zip xs bs) |> map (\(x, b) -> (x > 1 || !b, x + 1)) |> unzip

-- A row that nobody reads.
entry ignored_rows [n] (xss: [n][2]f64) : [2][2]f64 =
  map (\i -> reduce (\_ _ -> [0, 0]) [0, 0] (map (\b -> [b[0], f64.i64 i]) xss)) [0, 1]
