-- `#[reorder(key)]` takes an integer of each point of a map.

def not_a_map [n] (xs: [n]f64) = #[reorder(key)] f64.sum (map (\x -> let key = i64.f64 x in f64.i64 key) xs) -- error: `#[reorder]` has no effect here: it is for `map`, `map2`, .. and `tabulate`

def no_key [n] (xs: [n]f64) = #[reorder] map (\x -> x * x) xs -- error: `#[reorder]` needs one argument

def two_keys [n] (xs: [n]i64) = #[reorder(key, other)] map (\key -> key * key) xs -- error: `#[reorder]` needs one argument

def number [n] (xs: [n]i64) = #[reorder(3)] map (\key -> key * key) xs -- error: `#[reorder]` needs one argument

def nested_key [n] (xs: [n]i64) = #[reorder(key(x))] map (\key -> key * key) xs -- error: `#[reorder]` needs one argument

def unknown_key [n] (xs: [n]f64) = #[reorder(key)] map (\x -> x * x) xs -- error: `key` is neither a variable that the map's function binds for every point

def key_of_a_branch [n] (xs: [n]f64) = #[reorder(key)] map (\x -> if x < 0 then x else let key = i64.f64 x in f64.i64 key) xs -- error: `key` is neither

def key_of_another_function [n] (xs: [n]f64) =
  let square (x: f64) = let key = i64.f64 x in f64.i64 (key * key)
  in #[reorder(key)] map square xs -- error: `key` is neither

def key_of_the_outside [n] (key: i64) (xs: [n]i64) = #[reorder(key)] map (+ key) xs -- error: `key` is neither

def float_key [n] (xs: [n]f64) = #[reorder(x)] map (\x -> x * x) xs -- error: but a `integer` is expected

def keys_of_others [n] [m] (keys: [m]i64) (xs: [n]f64) = #[reorder(keys)] map (\x -> x * x) xs -- error: expected

def float_keys [n] (xs: [n]f64) = #[reorder(xs)] map (\x -> x * x) xs -- error: but a `[n]integer` is expected

def map_of_nothing_yet [n] (keys: [n]i64) (xs: [n]f64) = xs |> #[reorder(keys)] map (* 2) -- error: has no effect here

def parameter [n] (xs: [n]i32) = #[reorder(x)] map (\x -> x * x) xs

def several [n] (xs: [n]f64) (is: [n]i64) (keys: [n]u8) =
  (#[reorder(i)] map2 (\x i -> x * f64.i64 i) xs is, #[reorder(key)] map (\(x, i) -> let (key, y) = (i32.f64 x, x) in y * f64.i32 key + f64.i64 i) (zip xs is),
   #[reorder(keys)] (xs |> map (* 2)), #[reorder(keys)] #[unsafe] map (* 2) xs, #[reorder(key)] tabulate n (\i -> let key = i % 2 in i + key))
