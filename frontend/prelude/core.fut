-- The module `core`: what printed core programs use besides the language. Its type `acc` is the translator's own.

def scratch 't : (n: i64) -> *[n]t = intrinsics.scratch

def with_add 't 'b : (xs: *t) -> (f: *acc t -> b) -> b = intrinsics.with_add
def with_overwrite 't 'b : (xs: *t) -> (f: *acc t -> b) -> b = intrinsics.with_overwrite
def with_combine 't 'e 'b : (op: e -> e -> e) -> (neutral: e) -> (xs: *t) -> (f: *acc t -> b) -> b = intrinsics.with_combine
def finish 't : *acc t -> *t = intrinsics.finish

def update_0d 't : *acc t -> t -> *acc t = intrinsics.update_0d
def update_1d 't [k] : *acc ([k]t) -> i64 -> t -> *acc ([k]t) = intrinsics.update_1d
def update_2d 't [k] [l] : *acc ([k][l]t) -> i64 -> i64 -> t -> *acc ([k][l]t) = intrinsics.update_2d
def update_3d 't [k] [l] [m] : *acc ([k][l][m]t) -> i64 -> i64 -> i64 -> t -> *acc ([k][l][m]t) = intrinsics.update_3d
def update_4d 't [k] [l] [m] [n] : *acc ([k][l][m][n]t) -> i64 -> i64 -> i64 -> i64 -> t -> *acc ([k][l][m][n]t) =
  intrinsics.update_4d

def map 'c 'a 'b [n] : (f: *c -> a -> (c, b)) -> (accs: *c) -> (xs: [n]a) -> (*c, *[n]b) = intrinsics.map_acc

def scatter_4d 't [k] [l] [m] [o] [n]
             : (dest: *[k][l][m][o]t) -> (is: [n](i64, i64, i64, i64)) -> (vs: [n]t) -> *[k][l][m][o]t =
  intrinsics.scatter_4d
def reduce_by_index_4d 'a [k] [l] [m] [o] [n]
                     : (dest: *[k][l][m][o]a) -> (op: a -> a -> a) -> (neutral: a) -> (is: [n](i64, i64, i64, i64))
                       -> (xs: [n]a) -> *[k][l][m][o]a =
  intrinsics.reduce_by_index_4d

def sort [n] : (first_bit: i64) -> (end_bit: i64) -> (xs: [n]i64) -> *[n]i64 = intrinsics.sort

def check 'a [n] : (condition: bool) -> (message: [n]u8) -> (args: a) -> () = intrinsics.check
def slice 'a 'i 'b : (xs: a) -> (is: i) -> b = intrinsics.slice
def update 'a 'i 'b : (xs: *a) -> (is: i) -> (ys: b) -> *a = intrinsics.update_slice
def concat 'a 'b : (xss: a) -> *b = intrinsics.join
def replicate 'a 'b : (x: a) -> *b = intrinsics.fill
def reshape 'a 'b : (xs: a) -> b = intrinsics.reshape
def rearrange 'p 'a 'b : (order: p) -> (xs: a) -> b = intrinsics.rearrange

def fresh 'a : (x: a) -> *a = intrinsics.fresh

def fused 'a 'x 'r 'o 'b : (width: i64) -> (fn: a -> r) -> (arrays: x) -> (outs: o) -> *b = intrinsics.fused
def fused_acc 'c 'a 'x 'r 'o 'b
            : (width: i64) -> (fn: *c -> a -> (c, r)) -> (accs: *c) -> (arrays: x) -> (outs: o) -> (*c, *b) =
  intrinsics.fused_acc
def nest 's 'a 'o 'b : (space: s) -> (point: s -> a) -> (outs: o) -> *b = intrinsics.nest
def nest_acc 's 'c 'a 'o 'b
           : (space: s) -> (point: *c -> s -> (c, a)) -> (accs: *c) -> (outs: o) -> (*c, *b) =
  intrinsics.nest_acc
def store : (rank: i64) -> () = intrinsics.out_store
def reduce 'a : (rank: i64) -> (op: a -> a -> a) -> (neutral: a) -> () = intrinsics.out_reduce
def reduce_comm 'a : (rank: i64) -> (op: a -> a -> a) -> (neutral: a) -> () = intrinsics.out_reduce_comm
def scan 'a : (rank: i64) -> (op: a -> a -> a) -> (neutral: a) -> () = intrinsics.out_scan
def histogram 'd 'a : (rank: i64) -> (dest: *d) -> (op: a -> a -> a) -> (neutral: a) -> () =
  intrinsics.out_histogram
def scatter 'd : (rank: i64) -> (dest: *d) -> () = intrinsics.out_scatter
def epilogue 'p 'a : (out: ()) -> (fn: p -> a) -> () = intrinsics.out_epilogue
def direct : (out: ()) -> () = intrinsics.out_direct
def library : (out: ()) -> () = intrinsics.out_library
def atomic : (out: ()) -> () = intrinsics.out_atomic
def copies : (out: ()) -> () = intrinsics.out_copies
def parts : (out: ()) -> () = intrinsics.out_parts
