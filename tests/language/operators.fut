-- Operators: their own definitions and precedence, sections, backticks, pipes, qualified ones.

def (+.) (x: (i32, i32)) (y: (i32, i32)) = (x.0 + y.0, x.1 + y.1)
def (*.) (k: i32) (y: (i32, i32)) = (k * y.0, k * y.1)
def (<+>) (x: i32) (y: i32) = 10 * x + y
def (^^) (x: i32) (y: i32) = x - y
def minus (x: i32) (y: i32) = x - y

module m = { def (&+) (x: i32) (y: i32) = x + y + 100 }

-- ==
-- entry: defined
-- input { 2 3 } output { [8, 13] 23 -4 105 -1 1 }
entry defined (x: i32) (y: i32) =
  let (a, b) = (x, y) +. 2 *. (y, y + 2)
  in ([a, b], x <+> y, x ^^ y ^^ y, x m.&+ y, x `minus` y, (`minus` x) y)

-- ==
-- entry: sections
-- input { [1, 2, 3] } output { [2, 3, 4] [9, 8, 7] [0, 1, 2] [1, 4, 9] [2, 4, 6] 6 }
entry sections (xs: []i32) =
  (map (+ 1) xs, map (10 -) xs, map (\x -> x |> (+ -1)) xs, map (** 2) xs,
   map ((* 2) <-< (+ 0)) xs, xs |> i32.sum |> (+ -3) |> (* 2))

-- ==
-- entry: precedence
-- input { 7 2 } output { 9 1 true 28 3 true 4 }
entry precedence (x: i32) (y: i32) =
  (x + y * 2 - y, x % y << 0, x > y && !(y > x) || false, x << y, x >> 1 & 3 ^ 0, x == 7 == true, -x + 11)
