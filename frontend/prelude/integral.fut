-- The modules of integer types, besides numeric.fut. `t` and `num_bits` are given.

def (//) : t -> t -> t = intrinsics.quot
def (%%) : t -> t -> t = intrinsics.rem
def (&) : t -> t -> t = intrinsics.bit_and
def (|) : t -> t -> t = intrinsics.bit_or
def (^) : t -> t -> t = intrinsics.bit_xor
def (<<) : t -> t -> t = intrinsics.shl
def (>>) : t -> t -> t = intrinsics.shr
def (>>>) : t -> t -> t = intrinsics.ushr
def not : t -> t = intrinsics.complement

def popc : t -> i32 = intrinsics.popc
def clz : t -> i32 = intrinsics.clz
def ctz : t -> i32 = intrinsics.ctz
def mul_hi : (x: t) -> (y: t) -> t = intrinsics.mul_hi
def mad_hi : (a: t) -> (b: t) -> (c: t) -> t = intrinsics.mad_hi

def get_bit (bit: i32) (x: t) : i32 = to_i32 (intrinsics.bit_and (intrinsics.shr x (i32 bit)) 1)
def set_bit (bit: i32) (x: t) (b: i32) : t =
  let mask = intrinsics.shl 1 (i32 bit)
  in intrinsics.bit_or (intrinsics.bit_and x (not mask)) (intrinsics.shl (i32 b) (i32 bit))
