-- Nests of the same points that become one on a GPU, where something stands against it.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
def matmul [n] [m] [k] (xss: [n][k]i32) (yss: [k][m]i32) : [n][m]i32 =
  map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- | The adjoint of xs is read, and then added to: what is read of it is stored before.
-- ==
-- entry: read_and_added_to
-- random input { [5]f64 [5]f64 }
-- auto output
-- random input { [300]f64 [300]f64 }
-- auto output
-- random input { [1]f64 [1]f64 }
-- auto output
entry read_and_added_to [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\xs -> let ts = map (\i -> if i > 0 then f64.sin (xs[i - 1]) else 0) (iota n)
              let xs = reduce_by_index (copy xs) (+) 0 (map (\i -> (i * 3) % n) (iota n)) ts
              in map2 (+) xs (map (\i -> xs[i] * xs[(i * 2) % n]) (iota n))) xs ys

-- | What is not read by others is added where it is computed.
-- ==
-- entry: added_where_it_is_computed
-- random input { [5]f64 [5]f64 }
-- auto output
entry added_where_it_is_computed [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\xs -> let ts = map (\i -> if i > 0 then f64.sin (xs[i - 1]) else 0) (iota n)
              in map (\i -> ts[i] * ts[n - 1 - i]) (iota n)) xs ys

-- | Points check what they read, and products that they combine.
-- ==
-- entry: checked
-- input { [[1.0,2.0],[3.0,4.0]] [[1.0,2.0],[3.0,4.0]] [[1.0],[3.0]] [[1.0],[3.0]] } output { [[6.0, 14.0], [14.0, 34.0]] }
-- input { [[1.0,2.0],[-3.0,4.0]] [[1.0,2.0],[3.0,4.0]] [[1.0],[3.0]] [[1.0],[3.0]] } error: assert
-- input { [[1.0,2.0],[3.0,-4.0]] [[1.0,2.0],[3.0,4.0]] [[1.0],[3.0]] [[1.0],[3.0]] } error: assert
entry checked [n][m][k][l] (as: [n][k]f64) (bs: [m][k]f64) (cs: [n][l]f64) (ds: [m][l]f64) : [n][m]f64 =
  map2 (\a c -> map2 (\b d -> let x = dot a b in assert (#[unsafe] a[0] > 0 && x > 0) (x + dot c d)) bs ds) as cs

-- | The next state is a view of what all steps of a strip keep.
-- ==
-- entry: view_of_kept
-- random input { [3][3]i32 [3][3]i32 [3][3]i32 [9][3][3]i32 }
-- auto output
-- random input { [3][3]i32 [3][3]i32 [3][3]i32 [17][3][3]i32 }
-- auto output
entry view_of_kept [n] [h] (r: [h][h]i32) (x0: [h][h]i32) (w0: [h][h]i32) (inputs: [n][h][h]i32) : ([h][h]i32, [h][h]i32) =
  loop (x, w) = (x0, w0) for i < n do
    let y = map (map (% 1000)) (matmul r x)
    in (transpose y, map2 (map2 (+)) w (matmul (transpose y) inputs[i]))

-- | What is kept is updated behind.
-- ==
-- entry: updated_behind
-- random input { [3][3]i32 [3][3]i32 [3][3]i32 [9][3][3]i32 }
-- auto output
entry updated_behind [n] [h] (r: [h][h]i32) (x0: [h][h]i32) (w0: [h][h]i32) (inputs: [n][h][h]i32) : ([h][h]i32, [h][h]i32) =
  loop (x, w) = (x0, w0) for i < n do
    let y = copy (map (map (% 1000)) (matmul r x))
    let w = copy (map2 (map2 (+)) w (matmul (transpose y) inputs[i]))
    let y = scatter y [0i64] [replicate h (i32.i64 i)]
    in (map (map (% 100)) (matmul y r), w)
