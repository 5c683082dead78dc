-- The part of a primitive type's module that all types have. `t` is the type; conversions from signed integers are given.

def u8 : u8 -> t = intrinsics.convert
def u16 : u16 -> t = intrinsics.convert
def u32 : u32 -> t = intrinsics.convert
def u64 : u64 -> t = intrinsics.convert
def f16 : f16 -> t = intrinsics.convert
def f32 : f32 -> t = intrinsics.convert
def f64 : f64 -> t = intrinsics.convert
def bool : bool -> t = intrinsics.convert

def (==) : t -> t -> bool = intrinsics.eq
def (!=) : t -> t -> bool = intrinsics.ne
def (<) : t -> t -> bool = intrinsics.lt
def (<=) : t -> t -> bool = intrinsics.le
def (>) : t -> t -> bool = intrinsics.gt
def (>=) : t -> t -> bool = intrinsics.ge
