-- Functions on functions, and on truth values.

def id '^t (x: t) : t = x
def const '^a '^b (x: a) (_: b) : a = x
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)
def uncurry '^a '^b '^c (f: a -> b -> c) (x: a, y: b) : c = f x y

-- The checker knows the pipes where they stand between operands; these are their values.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

def (&&) (x: bool) (y: bool) : bool = if x then y else false
def (||) (x: bool) (y: bool) : bool = if x then true else y
def not (x: bool) : bool = !x

-- | f applied n times to x.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a =
  loop y = x for _i < n do f y

def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while p y do f y

def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while !(p y) do f y

def opaque 't : t -> t = intrinsics.opaque
def trace 't : t -> t = intrinsics.trace
def break 't (x: t) : t = x
