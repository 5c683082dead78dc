-- Two parts whose sizes add up, one of them a field of an element of an array.

module parts : {
  val part [n] 'a : (p: a -> bool) -> (as: [n]a) -> ?[k].([k]a, [n - k]a)
} = {
  def part [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
    let counts = [(i64.sum (map (\x -> i64.bool (p x)) as), 0i64)]
    in (as[0:counts[0].0], as[counts[0].0:n])
}

-- ==
-- input { [1, -2, 3, 4, -5] } output { [1, -2, 3] [4, -5] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry main [n] (xs: [n]i32) : ?[k].([k]i32, [n - k]i32) = parts.part (> 0) xs
