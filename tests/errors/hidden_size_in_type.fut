type^ predicate = []bool -> bool -- error: `predicate` has a size that no value of it tells
