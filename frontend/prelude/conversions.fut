-- Between integers and floats, by short names.

def r32 : i32 -> f32 = f32.i32
def t32 : f32 -> i32 = i32.f32
def r64 : i32 -> f64 = f64.i32
def t64 : f64 -> i32 = i32.f64
