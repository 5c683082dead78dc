-- What zip, unzip and maps yield are new arrays, however they come about: updating one leaves the others alone.

def pair 'a 'b [n] (xs: [n]a) (ys: [n]b) = zip xs ys

-- ==
-- entry: updated_after_map
-- input { [1.0, 2.0] } output { [1.0, 2.0] [100.0, 2.0] }
entry updated_after_map [n] (xs: [n]f64) =
  let us = copy xs
  let ys = map (\x -> x) us
  let us[0] = 100
  in (ys, us)

-- ==
-- entry: updated_after_zip
-- input { [1.0, 2.0] } output { [1.0, 2.0] [1.0, 2.0] [100.0, 2.0] }
entry updated_after_zip [n] (xs: [n]f64) =
  let us = copy xs
  let (a, b) = unzip (zip us us)
  let us[0] = 100
  in (a, b, us)

-- ==
-- entry: part_is_updated
-- input { [1.0, 2.0] } output { [100.0, 2.0] [1.0, 2.0] [1.0, 2.0] }
entry part_is_updated [n] (xs: [n]f64) =
  let us = copy xs
  let (a, b) = unzip (pair us us)
  let a[0] = 100
  in (a, b, us)

-- ==
-- entry: out_of_a_branch
-- input { [1.0, 2.0] true } output { [100.0, 2.0] [5.0, 2.0] [1.0, 2.0] }
-- input { [1.0, 2.0] false } output { [100.0, 2.0] [5.0, 2.0] [1.0, 2.0] }
entry out_of_a_branch [n] (xs: [n]f64) (c: bool) =
  let us = copy xs
  let (a, b) = if c then unzip (zip us us) else (copy us, map (\u -> u) us)
  let a[0] = 100
  let b[0] = 5
  in (a, b, us)

-- ==
-- entry: out_of_a_loop
-- input { [1.0, 2.0] } output { [100.0, 2.0] [1.0, 2.0] [1.0, 2.0] }
entry out_of_a_loop [n] (xs: [n]f64) =
  let us = copy xs
  let (a, b) =
    loop (a: *[n]f64, b: *[n]f64) = unzip (pair us us) for _i < 2i32 do
      unzip (map (\(x, y) -> (y, x)) (zip a b))
  let a[0] = 100
  in (a, b, us)

-- The next values of a loop are its own, also where they are equal.

-- ==
-- entry: next_values
-- input { [1.0, 2.0, 3.0] } output { [2.0, 13.0, 14.0] [2.0, 3.0, 4.0] }
entry next_values [n] (xs: [n]f64) =
  let ys = map (+ 1) xs
  let a =
    loop (a: *[n]f64) = copy xs for i < n do
      let a[i] = a[i] + 10
      in if i == 0 then copy ys else a
  in (a, ys)

-- ==
-- entry: parameters_that_change_places
-- input { [1.0, 2.0] } output { [4.0, 9.0] [2.0, 4.0] }
entry parameters_that_change_places [n] (xs: [n]f64) =
  let (a, b) = loop (a: *[n]f64, b: *[n]f64) = (copy xs, copy xs) for _i < 3i32 do (map (* 2) b, a)
  let a[1] = 9
  in (a, b)
