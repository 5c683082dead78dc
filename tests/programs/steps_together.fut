-- Loops whose steps multiply matrices: products that need not wait for the steps before them are computed for some steps at once.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
def matmul [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) : [n][m]f64 =
  map (\xs -> map (dot xs) (transpose yss)) xss

-- | A recurrent network: the next rows are of the rows before and of the inputs of the step.
def network [n] [b] [h] [d] (recurrent: [h][h]f64) (weights: [d][h]f64) (start: [b][h]f64) (inputs: [n][b][d]f64) : [b][h]f64 =
  loop rows = start for i < n do
    map2 (map2 (\x y -> f64.tanh (x + y))) (matmul rows recurrent) (matmul inputs[i] weights)

-- | One product for all steps, in the order of the loop.
-- ==
-- entry: last_rows
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [9][4][2]f64 }
-- auto output
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [0][4][2]f64 }
-- auto output
-- random input { [40][40]f64 [33][40]f64 [35][40]f64 [10][35][33]f64 }
-- auto output
entry last_rows [n] [b] [h] [d] (recurrent: [h][h]f64) (weights: [d][h]f64) (start: [b][h]f64) (inputs: [n][b][d]f64) : [b][h]f64 =
  network recurrent weights start inputs

-- | And for the return sweep, where adjoints of both matrices are summed up.
-- ==
-- entry: gradient
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [1][4][2]f64 }
-- auto output
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [8][4][2]f64 }
-- auto output
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [17][4][2]f64 }
-- auto output
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [0][4][2]f64 }
-- auto output
-- random input { [40][40]f64 [33][40]f64 [35][40]f64 [9][35][33]f64 }
-- auto output
entry gradient [n] [b] [h] [d] (recurrent: [h][h]f64) (weights: [d][h]f64) (start: [b][h]f64) (inputs: [n][b][d]f64)
              : ([h][h]f64, [d][h]f64, [b][h]f64, [n][b][d]f64) =
  vjp (\(recurrent, weights, start, inputs) -> f64.sum (map f64.sum (network recurrent weights start inputs)))
      (recurrent, weights, start, inputs) 1

-- | Integers, exactly; the product takes the step's number, too, and the loop goes on with what it adds up.
-- ==
-- entry: counted
-- random input { [5][7]i32 [7][6]i32 19i64 }
-- auto output
-- random input { [5][7]i32 [7][6]i32 -3i64 }
-- auto output
entry counted [n] [m] [k] (xss: [n][k]i32) (yss: [k][m]i32) (steps: i64) : ([n][m]i32, [n]i32) =
  loop (total, last) = (replicate n (replicate m 0), replicate n 1) for i < steps do
    let zss = map (\xs -> map (\ys -> i32.sum (map2 (\x y -> (x + i32.i64 i) * y) xs ys)) (transpose yss)) xss
    let next = map2 (\zs l -> l * 3 + zs[0]) zss last
    in (map2 (map2 (+)) total (map (\l -> map (\ys -> i32.sum (map (* l) ys)) (transpose yss)) next), next)

-- | What is added up is read by the step: it has to wait.
-- ==
-- entry: read_on_the_way
-- random input { [3][4]f64 [4][5]f64 [3][5]f64 11i64 }
-- auto output
entry read_on_the_way [n] [m] [k] (xss: [n][k]f64) (yss: [k][m]f64) (start: [n][m]f64) (steps: i64) : [n][m]f64 =
  loop total = start for i < steps do
    let scaled = map (map (\x -> x * f64.cos (total[0, 0] + f64.i64 i))) xss
    in map2 (map2 (+)) total (matmul scaled yss)

-- | A loop in a loop, whose products need the outer one's number.
-- ==
-- entry: twice
-- random input { [3][3]f64 [2][3]f64 [4][3]f64 [3][4][2]f64 }
-- auto output
entry twice [n] [b] [h] [d] (recurrent: [h][h]f64) (weights: [d][h]f64) (start: [b][h]f64) (inputs: [n][b][d]f64) : ([h][h]f64, [d][h]f64) =
  vjp (\(recurrent, weights) ->
         let rows = loop rows = start for j < 9 do
           network (map (map (/ f64.i64 h)) recurrent) (map (map (* (1 / f64.i64 (j + 1)))) weights) rows inputs
         in f64.sum (map f64.sum rows))
      (recurrent, weights) 1

-- | The rows that a product takes are part of what the loop fills: they are kept by the steps, not all that there is. What is added up in
-- place is read by nobody but the thread that stores it.
-- ==
-- entry: of_the_past
-- random input { [3][5]i32 [9][3][5]i32 }
-- auto output
-- random input { [3][5]i32 [0][3][5]i32 }
-- auto output
-- random input { [33][70]i32 [9][33][70]i32 }
-- auto output
entry of_the_past [n] [b] [h] (start: [b][h]i32) (inputs: [n][b][h]i32) : ([n][b][h]i32, [h][h]i32) =
  loop (past, sums) = (replicate n start, replicate h (replicate h 1)) for i < n do
    let product = map (\ps -> map (\xs -> i32.sum (map2 (*) ps xs)) (transpose inputs[i])) (transpose past[i])
    let past = past with [i] = map2 (map2 (\x y -> x * 3 + y)) past[i / 2] inputs[i]
    in (past, map2 (map2 (+)) sums product)

-- | Of two products only one can be done after the steps: the other one takes a number of its step.
-- ==
-- entry: with_a_number
-- random input { [9][5][6]i32 [6][6]i32 }
-- auto output
-- random input { [9][35][33]i32 [33][33]i32 }
-- auto output
entry with_a_number [n] [b] [d] (inputs: [n][b][d]i32) (weights: [d][d]i32) : ([b][d]i32, [d][d]i32, [d][d]i32, i32) =
  loop (rows, sums, others, c) = (replicate b (replicate d 1), weights, weights, 1) for i < n do
    let rows = map2 (map2 (\x y -> x * 3 + y)) rows (map (\xs -> map (\ws -> i32.sum (map2 (*) xs ws)) weights) inputs[i])
    let product = map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) (transpose rows)) (transpose inputs[i])
    in (rows, map2 (map2 (+)) sums product, map2 (map2 (\x y -> x + c * y)) others product, c * 5 + rows[0, 0])
