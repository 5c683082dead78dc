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
