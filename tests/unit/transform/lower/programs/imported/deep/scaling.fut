open import "../shared"

def factor = 10.0
def scaled x = factor * x

module by (P: {val factor : f64}) = {
  def scaled x = P.factor * x
}
