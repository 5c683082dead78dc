-- Attributes on expressions, patterns and declarations, and doc comments, change no value.

-- | Doubles; see the attribute.
#[noinline]
def double (x: i32) = x * 2

-- ==
-- entry: attributed
-- input { [1, 2, 3] } output { [2, 4, 6] 6 3 }
#[inline]
entry attributed (xs: []i32) =
  let #[opaque] ys = #[sequential] map double xs
  let s = #[sequential_outer] reduce (+) 0 (#[unsafe] xs)
  let n = #[unroll] loop k = 0i32 for _i < 3i64 do k + 1
  in (ys, s, n)
