-- saddle: the minimum over x of the maximum over y of a function, each by gradient descent; the descents are nested, and so are the
-- derivatives. Entries say how the outer and the inner gradient are taken: by (f)orward or (r)everse mode.
import "descent"

def height (x: [2]f64) (y: [2]f64) : f64 =
  x[0] * x[0] + x[1] * x[1] - y[0] * y[0] - y[1] * y[1]

def saddle outer inner (start: [2]f64) : [2][2]f64 =
  let highest x = height x (argmax inner (height x) start)
  let x = argmin outer highest start
  let y = argmax outer (height x) start
  in [x, y]

entry ff start = saddle by_forward_mode by_forward_mode start
entry fr start = saddle by_forward_mode by_reverse_mode start
entry rf start = saddle by_reverse_mode by_forward_mode start
entry rr start = saddle by_reverse_mode by_reverse_mode start
