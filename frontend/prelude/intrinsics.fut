-- The module `intrinsics` as programs see it: accumulators, arrays to which a parallel function adds, and slices in
-- several dimensions. The type `acc` is the translator's own.

def acc_write 't [n] : (acc: *acc ([n]t)) -> (i: i64) -> (v: t) -> *acc ([n]t) = intrinsics.update_1d

-- | `dest` after f has written for every element of xs; the order of writes to the same place is open.
def scatter_stream 'a 'b [k] [n] (dest: *[k]a) (f: *acc ([k]a) -> b -> acc ([k]a)) (xs: [n]b) : *[k]a =
  intrinsics.with_overwrite dest (\acc ->
    let (acc', _) = intrinsics.map_acc (\part x -> (f part x, ())) acc xs
    in intrinsics.finish acc')

-- | The same, where what is written is combined by op with what is there.
def hist_stream 'a 'b [k] [n] (dest: *[k]a) (op: a -> a -> a) (ne: a) (f: *acc ([k]a) -> b -> acc ([k]a)) (xs: [n]b)
              : *[k]a =
  intrinsics.with_combine op ne dest (\acc ->
    let (acc', _) = intrinsics.map_acc (\part x -> (f part x, ())) acc xs
    in intrinsics.finish acc')

-- Slices in several dimensions of an array in one: a dimension has a size and a stride.

def flat_index_2d 'a [n] (xs: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) : [n1][n2]a =
  map (\i -> map (\j -> xs[offset + i * s1 + j * s2]) (iota n2)) (iota n1)

def flat_index_3d 'a [n] (xs: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64)
                : [n1][n2][n3]a =
  map (\i -> flat_index_2d xs (offset + i * s1) n2 s2 n3 s3) (iota n1)

def flat_index_4d 'a [n] (xs: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64)
                  (n4: i64) (s4: i64) : [n1][n2][n3][n4]a =
  map (\i -> flat_index_3d xs (offset + i * s1) n2 s2 n3 s3 n4 s4) (iota n1)

-- | One by one, so that each place is checked.
def flat_update_2d 'a [n] [k] [l] (xs: *[n]a) (offset: i64) (s1: i64) (s2: i64) (yss: [k][l]a) : *[n]a =
  loop xs for i < k do
    loop xs for j < l do xs with [offset + i * s1 + j * s2] = yss[i, j]

def flat_update_3d 'a [n] [k] [l] [m] (xs: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (ysss: [k][l][m]a)
                 : *[n]a =
  loop xs for i < k do flat_update_2d xs (offset + i * s1) s2 s3 ysss[i]

def flat_update_4d 'a [n] [k] [l] [m] [o] (xs: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (s4: i64)
                   (yssss: [k][l][m][o]a) : *[n]a =
  loop xs for i < k do flat_update_3d xs (offset + i * s1) s2 s3 s4 yssss[i]
