-- Arrays of tuples from tuples of arrays, and back.

def zip 'a 'b [n] : (xs: [n]a) -> (ys: [n]b) -> *[n](a, b) = intrinsics.zip
def zip2 'a 'b [n] : (xs: [n]a) -> (ys: [n]b) -> *[n](a, b) = intrinsics.zip

def zip3 'a 'b 'c [n] (xs: [n]a) (ys: [n]b) (zs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\(x, (y, z)) -> (x, y, z)) (zip xs (zip ys zs))

def zip4 'a 'b 'c 'd [n] (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\((x, y), (z, u)) -> (x, y, z, u)) (zip (zip xs ys) (zip zs us))

def zip5 'a 'b 'c 'd 'e [n] (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e) : *[n](a, b, c, d, e) =
  intrinsics.map (\((x, y), (z, (u, v))) -> (x, y, z, u, v)) (zip (zip xs ys) (zip zs (zip us vs)))

def unzip 'a 'b [n] : (xys: [n](a, b)) -> ([n]a, [n]b) = intrinsics.unzip
def unzip2 'a 'b [n] : (xys: [n](a, b)) -> ([n]a, [n]b) = intrinsics.unzip

def unzip3 'a 'b 'c [n] (ts: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  let (xs, rest) = unzip (intrinsics.map (\(x, y, z) -> (x, (y, z))) ts)
  let (ys, zs) = unzip rest
  in (xs, ys, zs)

def unzip4 'a 'b 'c 'd [n] (ts: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  let (front, back) = unzip (intrinsics.map (\(x, y, z, u) -> ((x, y), (z, u))) ts)
  let (xs, ys) = unzip front
  let (zs, us) = unzip back
  in (xs, ys, zs, us)

def unzip5 'a 'b 'c 'd 'e [n] (ts: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (front, back) = unzip (intrinsics.map (\(x, y, z, u, v) -> ((x, y), (z, u, v))) ts)
  let (xs, ys) = unzip front
  let (zs, us, vs) = unzip3 back
  in (xs, ys, zs, us, vs)
