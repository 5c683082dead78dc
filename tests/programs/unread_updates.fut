-- Loops that fill an array in place. Their return sweeps put zero in the place of each adjoint that they have taken: where no later step
-- reads it that need not be written, but a step that takes the adjoint of an earlier value of the element must find zero. All derivatives
-- are of the sum of (place + 1) * element.

def weighed [n] (ys: [n]f64) : f64 = f64.sum (map2 (\p y -> f64.i64 (p + 1) * y) (iota n) ys)

-- | Each element once, from the first or from the last.
-- ==
-- entry: filled
-- input { [2.0, 3.0, 0.5, -1.0] } output { [4.0, 12.0, 3.0, -8.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry filled [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = replicate n 0 for i < n do ys with [i] = xs[i] * xs[i])) xs 1

-- ==
-- entry: reversed
-- input { [2.0, 3.0, 0.5, -1.0] } output { [16.0, 18.0, 2.0, -2.0] }
entry reversed [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = replicate n 0 for i < n do ys with [n - 1 - i] = xs[i] * xs[i])) xs 1

-- | Elements that their neighbours are made of: of the step before, or of the start.
-- ==
-- entry: following
-- input { [2.0, 3.0, 0.5, -1.0] } output { [5.5, 3.0, -6.0, 12.0] }
entry following [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i + 1] * ys[i])) xs 1

-- ==
-- entry: preceding
-- input { [2.0, 3.0, 0.5, -1.0] } output { [3.0, 3.0, 3.0, 5.5] }
entry preceding [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = copy xs for i < n - 1 do ys with [i] = ys[i + 1] * ys[i])) xs 1

-- | One element in all steps.
-- ==
-- entry: one
-- input { [2.0, 3.0, 0.5, -1.0] } output { [-8.0, -12.0, -33.0, 22.0] }
entry one [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = copy xs for i < n do ys with [1] = ys[1] * xs[i])) xs 1

-- | Elements that are told, and may be overwritten: what was there before has no part in the result.
-- ==
-- entry: told
-- input { [0i64, 0i64, 2i64, 0i64] [2.0, 3.0, 0.5, -1.0] } output { [0.0, 2.0, 3.0, 2.0] }
-- input { [3i64, 2i64, 1i64, 0i64] [2.0, 3.0, 0.5, -1.0] } output { [16.0, 18.0, 2.0, -2.0] }
entry told [n] (is: [n]i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = copy xs for i < n do ys with [is[i]] = xs[i] * xs[i])) xs 1

-- | From both ends, so that each element is overwritten once.
-- ==
-- entry: twice
-- input { [2.0, 3.0, 0.5, -1.0] } output { [0.0, 0.0, 9.0, -5.0] }
entry twice [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         weighed (loop ys = replicate n 0 for i < n do
                    let ys = ys with [i] = xs[i] * xs[i]
                    in ys with [n - 1 - i] = 3 * xs[i])) xs 1

-- | An element of this step, and then one that may be the same.
-- ==
-- entry: again
-- input { [2.0, 3.0, 0.5, -1.0] } output { [36.0, 2.0, -15.0, 1.0] }
entry again [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         weighed (loop ys = replicate n 0 for i < n do
                    let ys = ys with [i] = xs[i] * xs[i]
                    in ys with [i / 2] = ys[i / 2] * xs[i])) xs 1

-- | An inner loop updates the same element in all of its steps.
-- ==
-- entry: powers
-- input { [2.0, 3.0, 0.5, -1.0] } output { [12.0, 54.0, 2.25, 12.0] }
entry powers [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (loop ys = replicate n 1 for i < n do loop ys for _j < 3 do ys with [i] = ys[i] * xs[i])) xs 1

-- | Elements of a matrix, each once.
-- ==
-- entry: cells
-- input { [2.0, 3.0, 0.5, -1.0] } output { [14.0, 36.5, 59.0, 81.5] }
entry cells [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         weighed (flatten (loop m = replicate n (replicate n 0) for i < n do
                             loop m for j < n do m with [i, j] = xs[i] * xs[j]))) xs 1

-- | Elements that are made of those above and to the left.
-- ==
-- entry: table
-- input { [2.0, 3.0, 0.5, -1.0] } output { [0.0, 29.625, -105.625, 181.5] }
entry table [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         weighed (flatten (loop m = replicate n (replicate n 1) for i < n - 1 do
                             loop m for j < n - 1 do m with [i + 1, j + 1] = m[i, j + 1] * 0.5 + m[i + 1, j] * xs[j + 1]))) xs 1

-- | Rows, each once.
-- ==
-- entry: rows
-- input { [2.0, 3.0, 0.5, -1.0] } output { [14.0, 36.5, 59.0, 81.5] }
entry rows [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> weighed (flatten (loop m = replicate n (replicate n 0) for i < n do m with [i] = map (* xs[i]) xs))) xs 1
