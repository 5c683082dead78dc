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

-- | Functions, types and macros of the C library and of CUDA.
def random [n] (alloca: [n]f32) (float4: f32) : [n]f32 = map (* float4) alloca
def alloca (memcpy: u32) (int32_t: i32) : i32 = i32.u32 memcpy + int32_t

-- ==
-- entry: select
-- input { [1f32, 2f32] 3f32 4u32 5i32 6i8 [7i64] } output { [3f32, 6f32] 9i32 13i8 21f32 [49i64] }
entry select [n] [m] (input: [n]f32) (output: f32) (uint32_t: u32) (int32_t: i32) (int8_t: i8) (size_t: [m]i64)
  : ([n]f32, i32, i8, f32, [m]i64) =
  let float4 = random input output
  let free = f32.sum (map2 (*) input float4) + f32.sum input * 2
  in (float4, alloca uint32_t int32_t, int8_t + 7, free, map (\harness -> harness * harness) size_t)

-- ==
-- entry: time
-- input { [3f64, 1f64, 2f64] } output { [6f64, 2f64, 4f64] 6f64 }
entry time [n] (uint8_t: [n]f64) : ([n]f64, f64) =
  let offsetof = map (* 2) uint8_t
  in (offsetof, reduce f64.max 0 offsetof)
