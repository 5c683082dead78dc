-- Arrays: making, taking apart, rearranging.

def length 't [n] : (xs: [n]t) -> i64 = intrinsics.length
def null 't [n] (_: [n]t) : bool = n == 0
def iota : (n: i64) -> *[n]i64 = intrinsics.iota
def indices 't [n] (_: [n]t) : *[n]i64 = iota n
def replicate 't : (n: i64) -> (x: t) -> *[n]t = intrinsics.replicate
def rep 't [n] (x: t) : *[n]t = replicate n x
def copy 't : (x: t) -> *t = intrinsics.copy
def manifest 't : (x: t) -> *t = intrinsics.copy

def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = map f (iota n)
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  map (\i -> map (f i) (iota m)) (iota n)
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  map (\i -> map (\j -> map (f i j) (iota o)) (iota m)) (iota n)

def head 't [n] (xs: [n]t) : t = xs[0]
def last 't [n] (xs: [n]t) : t = xs[n - 1]
def tail 't [n] (xs: [n]t) : [n - 1]t = xs[1:]
def init 't [n] (xs: [n]t) : [n - 1]t = xs[:n - 1]
def take 't [n] (i: i64) (xs: [n]t) : [i]t = xs[:i]
def drop 't [n] (i: i64) (xs: [n]t) : [n - i]t = xs[i:]
def split 't [n] [m] (xs: [n + m]t) : ([n]t, [m]t) = (xs[:n], xs[n:] :> [m]t)
def sized 't [m] (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

def concat 't [n] [m] : (xs: [n]t) -> (ys: [m]t) -> *[n + m]t = intrinsics.concat
def (++) 't [n] [m] : (xs: [n]t) -> (ys: [m]t) -> *[n + m]t = intrinsics.concat

def reverse 't [n] (xs: [n]t) : [n]t = xs[::-1]

-- | Element i is the one that was at i + r, cyclically.
def rotate 't [n] (r: i64) (xs: [n]t) : [n]t =
  let k = r % i64.max 1 n
  in concat xs[k:] xs[:k] :> [n]t

def transpose 't [n] [m] : (xss: [n][m]t) -> [m][n]t = intrinsics.transpose

def flatten 't [n] [m] : (xss: [n][m]t) -> [n * m]t = intrinsics.flatten
def flatten_3d 't [n] [m] [l] (xs: [n][m][l]t) : [n * m * l]t = flatten (flatten xs)
def flatten_4d 't [n] [m] [l] [k] (xs: [n][m][l][k]t) : [n * m * l * k]t = flatten (flatten_3d xs)

def unflatten 't [n] [m] : (xs: [n * m]t) -> [n][m]t = intrinsics.unflatten
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t = unflatten (unflatten xs)
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten (unflatten_3d xs)
