def twice (xs: *[3]f64) : [3]f64 =
  core.with_add xs (\acc ->
    let first = core.update_1d acc 0 1
    let second = core.update_1d acc 1 1 -- error: `acc` is used after it was consumed
    in core.finish first)
