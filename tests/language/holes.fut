-- Typed holes: a program with holes runs until it reaches one.

def unknown : (n: i64) -> []i32 = ???

-- ==
-- entry: value
-- input { true } output { 1 }
-- input { false } error: hole
entry value (c: bool) : i32 = if c then 1 else ???

-- ==
-- entry: function
-- input { 3i64 } error: hole
entry function (n: i64) = length (unknown n)

-- ==
-- entry: in_record
-- input { 3 } error: hole
entry in_record (x: i32) : i32 = let r : {f: i32 -> i32, y: i32} = ??? in r.f x + r.y
