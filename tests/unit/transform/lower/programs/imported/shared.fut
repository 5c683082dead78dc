module token : {type t val make : i32 -> t val show : t -> i32} = {
  type t = i32
  def make x = x
  def show x = x
}
