type opt 't = #some t | #none
def f (b: bool) = if b then #some [1, 2] else #none :> opt ([2]i32) -- error: the size `2` cannot be inferred here
