module type mt = {
  val f : []i32 -> i32 -- error: the size of a parameter needs a name here
  val g [n] : [n]i32 -> []i32
  val h [n] : ([]i32, [n]i32) -> i32 -- error: the size of a parameter needs a name here
}
