-- The modules of float types, besides numeric.fut. `t`, `int_t`, `num_bits` and `epsilon` are given.

def pi : t = 3.14159265358979323846
def e : t = 2.71828182845904523536
def recip (x: t) : t = intrinsics.div 1 x
def from_fraction (x: i64) (y: i64) : t = intrinsics.div (i64 x) (i64 y)

def sqrt : t -> t = intrinsics.sqrt
def cbrt : t -> t = intrinsics.cbrt
def rsqrt : t -> t = intrinsics.rsqrt
def exp : t -> t = intrinsics.exp
def exp2 : t -> t = intrinsics.exp2
def exp10 : t -> t = intrinsics.exp10
def expm1 : t -> t = intrinsics.expm1
def log : t -> t = intrinsics.log
def log2 : t -> t = intrinsics.log2
def log10 : t -> t = intrinsics.log10
def log1p : t -> t = intrinsics.log1p

def sin : t -> t = intrinsics.sin
def cos : t -> t = intrinsics.cos
def tan : t -> t = intrinsics.tan
def asin : t -> t = intrinsics.asin
def acos : t -> t = intrinsics.acos
def atan : t -> t = intrinsics.atan
def atan2 : t -> t -> t = intrinsics.atan2
def sinh : t -> t = intrinsics.sinh
def cosh : t -> t = intrinsics.cosh
def tanh : t -> t = intrinsics.tanh
def asinh : t -> t = intrinsics.asinh
def acosh : t -> t = intrinsics.acosh
def atanh : t -> t = intrinsics.atanh
def sinpi : t -> t = intrinsics.sinpi
def cospi : t -> t = intrinsics.cospi
def tanpi : t -> t = intrinsics.tanpi
def asinpi : t -> t = intrinsics.asinpi
def acospi : t -> t = intrinsics.acospi
def atanpi : t -> t = intrinsics.atanpi
def atan2pi : t -> t -> t = intrinsics.atan2pi
def hypot : t -> t -> t = intrinsics.hypot

def floor : t -> t = intrinsics.floor
def ceil : t -> t = intrinsics.ceil
def trunc : t -> t = intrinsics.trunc
def round : t -> t = intrinsics.round
def copysign : (x: t) -> (y: t) -> t = intrinsics.copysign
def nextafter : (x: t) -> (y: t) -> t = intrinsics.nextafter
def ldexp : t -> i32 -> t = intrinsics.ldexp
def fma : (a: t) -> (b: t) -> (c: t) -> t = intrinsics.fma
def mad : (a: t) -> (b: t) -> (c: t) -> t = intrinsics.mad
def lerp : t -> t -> t -> t = intrinsics.lerp

def gamma : t -> t = intrinsics.gamma
def lgamma : t -> t = intrinsics.lgamma
def erf : t -> t = intrinsics.erf
def erfc : t -> t = intrinsics.erfc

def isnan : t -> bool = intrinsics.isnan
def isinf : t -> bool = intrinsics.isinf
def to_bits : t -> int_t = intrinsics.to_bits
def from_bits : int_t -> t = intrinsics.from_bits

def get_bit (bit: i32) (x: t) : i32 =
  intrinsics.convert (intrinsics.bit_and (intrinsics.shr (to_bits x) (intrinsics.convert bit)) 1)
def set_bit (bit: i32) (x: t) (b: i32) : t =
  let place : int_t = intrinsics.convert bit
  let mask = intrinsics.shl 1 place
  let rest = intrinsics.bit_and (to_bits x) (intrinsics.complement mask)
  in from_bits (intrinsics.bit_or rest (intrinsics.shl (intrinsics.convert b) place))
