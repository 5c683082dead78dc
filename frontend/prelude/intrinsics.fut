-- The module `intrinsics` as programs see it: accumulators, arrays to which a parallel function adds. Its type `acc` is
-- the translator's own.

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
