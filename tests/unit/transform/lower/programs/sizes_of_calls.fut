-- Functions whose results have sizes that differ from call to call, as arguments of functions of lifted types.
-- ==
-- input { 3i64 2i64 }
-- output { [0i64, 1i64, 2i64] 4i64 [[true, true], [true, true], [true, true]] }

def apply '^a '~b (f: a -> b) (x: a) : b = f x

def both '^a '^b '~c (f: a -> b -> c) (x: a, y: b) : c = f x y

def grid (n: i64) (m: i64) = replicate n (replicate m true)

def main (n: i64) (m: i64) =
  ( apply iota n
  , length (apply (filter (> 0)) (map (\i -> i - 1) (iota (n + m + 1))))
  , both grid (n, m)
  )
