-- The part of a number type's module that integers and floats share. `t`, `lowest` and `highest` are given.

def to_i32 : t -> i32 = intrinsics.convert
def to_i64 : t -> i64 = intrinsics.convert
def to_f64 : t -> f64 = intrinsics.convert

def (+) : t -> t -> t = intrinsics.add
def (-) : t -> t -> t = intrinsics.sub
def (*) : t -> t -> t = intrinsics.mul
def (/) : t -> t -> t = intrinsics.div
def (%) : t -> t -> t = intrinsics.mod
def (**) : t -> t -> t = intrinsics.pow

def neg : t -> t = intrinsics.neg
def abs : t -> t = intrinsics.abs
def sgn : t -> t = intrinsics.sgn
def min : t -> t -> t = intrinsics.min
def max : t -> t -> t = intrinsics.max

def sum [n] (xs: [n]t) : t = intrinsics.reduce intrinsics.add 0 xs
def product [n] (xs: [n]t) : t = intrinsics.reduce intrinsics.mul 1 xs
def minimum [n] (xs: [n]t) : t = intrinsics.reduce intrinsics.min highest xs
def maximum [n] (xs: [n]t) : t = intrinsics.reduce intrinsics.max lowest xs
