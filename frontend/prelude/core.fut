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
