-- Rows and sums that points add: flatten/additions_apart.hpp. They are adjoints of rows and numbers that the points read where data tell.

-- nests: grid 2 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]] [[1.0,2.0],[3.0,4.0],[5.0,6.0]]
entry rows [n][k][d] (is: [n]i64) (css: [k][d]f64) (wss: [n][d]f64) : [k][d]f64 =
  vjp (\css -> map (\i -> #[unsafe] css[i]) is) css wss

-- nests: grid 2 add, grid 1 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]] [4.0,5.0] [[1.0,2.0],[3.0,4.0],[5.0,6.0]]
entry rows_and_sums [n][k][d] (is: [n]i64) (css: [k][d]f64) (bs: [k]f64) (wss: [n][d]f64) : ([k][d]f64, [k]f64) =
  vjp (\(css, bs) -> map (\i -> map (\c -> c + #[unsafe] bs[i]) (#[unsafe] css[i])) is) (css, bs) wss

-- Of different sizes.
-- nests: grid 2 add, grid 2 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]] [[4.0],[5.0]] [[1.0,2.0],[3.0,4.0],[5.0,6.0]] [[1.0],[3.0],[5.0]]
entry of_two_sizes [n][k][d][l] (is: [n]i64) (css: [k][d]f64) (bss: [k][l]f64) (wss: [n][d]f64) (vss: [n][l]f64) : ([k][d]f64, [k][l]f64) =
  vjp (\(css, bss) -> unzip (map (\i -> (#[unsafe] css[i], #[unsafe] bss[i])) is)) (css, bss) (wss, vss)

-- nests: grid 1 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]] [[1.0,2.0],[3.0,4.0],[5.0,6.0]]
entry of_constant_size [n][k] (is: [n]i64) (css: [k][2]f64) (wss: [n][2]f64) : [k][2]f64 =
  vjp (\css -> map (\i -> #[unsafe] css[i]) is) css wss

-- nests: grid 1 add
-- input [0i64,1i64,1i64] [[1.0,2.0],[3.0,5.0]] [[1.0,2.0],[3.0,4.0],[5.0,6.0]]
-- failing input [0i64,1i64,2i64] [[1.0,2.0],[3.0,5.0]] [[1.0,2.0],[3.0,4.0],[5.0,6.0]]
entry checked [n][k][d] (is: [n]i64) (css: [k][d]f64) (wss: [n][d]f64) : [k][d]f64 =
  vjp (\css -> map (\i -> let i = assert (i < k) i in #[unsafe] css[i]) is) css wss
