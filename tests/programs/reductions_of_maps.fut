-- Sum, product, smallest and largest of a mapped array, and their gradients: where values tie, and where some are zero.

def sum_of_squares [n] (xs: [n]f64) = f64.sum (map (\x -> x * x) xs)
def product_of_shifted [n] (xs: [n]f64) = f64.product (map (\x -> x + 1) xs)
def smallest_sine [n] (xs: [n]f64) = f64.minimum (map f64.sin xs)
def largest_sine [n] (xs: [n]f64) = f64.maximum (map f64.sin xs)

entry values [n] (xs: [n]f64) : (f64, f64, f64, f64) =
  (sum_of_squares xs, product_of_shifted xs, smallest_sine xs, largest_sine xs)

entry gradients [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  (vjp sum_of_squares xs 1, vjp product_of_shifted xs 1, vjp smallest_sine xs 1, vjp largest_sine xs 1)

-- ==
-- entry: product_gradient
-- input { [2f64, 3f64, 4f64] } output { [12f64, 8f64, 6f64] }
-- input { [2f64, 0f64, 4f64] } output { [0f64, 8f64, 0f64] }
-- input { [2f64, 0f64, 0f64] } output { [0f64, 0f64, 0f64] }
entry product_gradient [n] (xs: [n]f64) : [n]f64 = vjp f64.product xs 1
