-- Elements whose places have something in common, and such that only seem to.

-- Rows that are only there where a condition holds: keys end before them.
entry guarded [n] [m] [k] (xss: [n][m]i64) (keys: [k]i64) : [k]i64 =
  tabulate k (\i ->
    #[unsafe] ((if i + 1 < k then xss[keys[i + 1], 0] else 0) + (if i + 2 < k then xss[keys[i + 1], 1] else 0)
               + (if i + 3 < k then xss[keys[i + 1], 2] else 0)))
-- ==
-- entry: guarded
-- input { [[1i64, 2i64, 3i64], [10i64, 20i64, 30i64]] [1i64, 0i64, 1i64, 1i64, 0i64] }
-- output { [6i64, 60i64, 30i64, 1i64, 0i64] }

-- An element whose place is an element of the same array.
entry inner [n] [m] (xss: [n][m]i64) : [n]i64 =
  tabulate n (\i -> #[unsafe] (xss[i, xss[i, 0]] + xss[i, 1] * xss[i, 2]))
-- ==
-- entry: inner
-- input { [[2i64, 3i64, 4i64], [1i64, 5i64, 6i64], [0i64, 7i64, 8i64]] }
-- output { [16i64, 35i64, 56i64] }

-- A place that wraps around: it is i, and at first that of the element that is added to.
entry wrapping [n] [m] (xss: *[n][m]f64) : *[n][m]f64 =
  map (\xs ->
         loop xs = copy xs for i < m do
           let x = #[unsafe] xs[0]
           let xs = #[unsafe] (xs with [i64.u8 (u8.i64 (i + 256))] = f64.i64 i)
           in #[unsafe] (xs with [0] = x + 2))
      xss
-- ==
-- entry: wrapping
-- input { [[1.0, 7.0], [10.0, 8.0]] }
-- output { [[5.0, 1.0], [14.0, 1.0]] }

-- A divisor that a condition keeps from being zero.
entry divided [n] [m] (xss: [n][m]i64) (q: i64) : [n]i64 =
  tabulate n (\i ->
    #[unsafe] (if q > 0 then xss[i / q, 0] + xss[i / q, 1] * xss[i / q, 2] else i))
-- ==
-- entry: divided
-- input { [[2i64, 3i64, 4i64], [1i64, 5i64, 6i64], [0i64, 7i64, 8i64]] 2i64 }
-- output { [14i64, 14i64, 31i64] }
-- input { [[2i64, 3i64, 4i64], [1i64, 5i64, 6i64]] 0i64 }
-- output { [0i64, 1i64] }

-- A number of blocks that two maps count, and a size that may be zero.
entry counted [n] [k] (ns: [n]f64) (ks: [k]f64) : []f64 =
  let k1 = i64.max k 1
  let blocks = n * k
  let us = tabulate blocks (\b -> f64.i64 (b % k1))
  in tabulate blocks (\b -> us[#[unsafe] b] + f64.sum ks + f64.sum ns)
-- ==
-- entry: counted
-- input { [1.0, 2.0] [10.0, 20.0, 30.0] }
-- output { [63.0, 64.0, 65.0, 63.0, 64.0, 65.0] }
-- input { [1.0, 2.0] empty([0]f64) }
-- output { empty([0]f64) }
