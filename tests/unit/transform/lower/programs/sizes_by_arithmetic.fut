-- Sizes that are equal by the laws of arithmetic, and results whose declared size is left open but known.
-- ==
-- input { [1, 2, 3, 4] }
-- output { [6, 6, 6, 6] [3, 4, 4, 6] 3i64 }

def halves [n] (xs: [n * 2]i32) : [2 * n]i32 = map (+ 1) xs

def last_first [n] (xs: [n]i32) : []i32 = map (\i -> xs[n - 1 - i]) (iota n)

def grown [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [9]

def main [n] (xs: [n]i32) =
  let rows = map last_first [xs, last_first xs]
  let joined : [1 + n]i32 = grown xs
  in (map2 (+) rows[0] (map (+ 1) rows[1]), halves (xs[:4] :> [2 * 2]i32) |> map2 i32.max [3, 4, 0, 6], length joined - 2)
