def table : []i32 = [1, 2, 3]
def f (b: bool) = if b then table else [] -- error: the result of a function may share memory with the top-level constant `table`
