-- Names that are keywords, macros or functions in C++ and CUDA, and comments that try to end or to go on: \
-- */ #error out of the comment /* \
-- ??/
-- "quoted" // 'c' \

-- | Its first line goes on \
-- */ #error out of the comment /* \
-- ??/
-- and its last one too \
def threadIdx [n] (NULL: [n]f64) (INFINITY: f64) : [n]f64 =
  map (\EOF -> EOF * INFINITY) NULL -- */ \

-- | The first line goes on \
-- #error out of the comment */ \
-- ??/
-- and so does the last \
-- ==
-- entry: main'
-- input { [1f64, 2f64] 3f64 5f64 2i64 [0.5f64, 0.25f64] } output { 50.75f64 [3.5f64, 6.25f64] }
entry main' [n] (class: [n]f64) (linux: f64) (warpSize: f64) (errno: i64) (M_PI: [n]f64) : (f64, [n]f64) =
  let template' = threadIdx class linux
  let global__ = map2 (+) template' M_PI -- */ \
  let blockIdx = reduce (+) 0 global__ -- ??/
  let stderr = blockIdx * warpSize + f64.i64 errno -- \
  let unix = if assert (errno > 0) (stderr > 0) then stderr else 1
  in (unix, global__)

-- ==
-- entry: operator
-- input { 2i32 3f64 5f64 7f64 11f64 13f64 17f64 } output { 12155f64 }
entry operator (int: i32) (double: f64) (namespace: f64) (BLOCK: f64) (main: f64) (stream: f64) (cudaMalloc: f64) : f64 =
  vjp (\x -> x * x * double * f64.i32 int + x * namespace * BLOCK * main * stream * cudaMalloc / 7 - x * 6) 0 1
  * namespace / 5 + 6 * namespace / 5 - 0 * f64.exp main

-- | What the emitted file calls are names of the program as well.
-- ==
-- entry: scratch
-- input { [1f64, 2f64, 3f64] 2f64 1i64 1f64 2f64 1f64 [10f64, 20f64, 30f64] }
-- output { [2f64, 4f64, 6f64] [20f64, 100f64, 280f64] [10f64, 60f64, 180f64] 14f64 }
entry scratch [n] (scratch: [n]f64) (threads: f64) (reduce_total: i64) (total_kernel: f64) (NAN: f64) (std: f64)
                  (cub: [n]f64) : ([n]f64, [n]f64, [n]f64, f64) =
  let exp = map (\min -> f64.min (min * threads) 1e9) scratch
  let total = f64.sum (map2 (*) scratch scratch) * f64.i64 reduce_total * total_kernel * std
  let fabs = scan (+) 0 (map2 (\fabs max -> f64.abs fabs * max * f64.max NAN 2) scratch cub)
  let fma = map2 (\fma x -> f64.fma fma x 0) (map f64.abs exp) (map (/ 2) (scan (+) 0 cub))
  in (exp, fabs, fma, total)
