-- det: a determinant, expanded by minors all the way down: the sum over all permutations of the columns.

def factorial (n: i64) : i64 = i64.product (tabulate n (+ 1))

-- | The n-th column that is not in a set of columns; sets are written in bits.
def nth_left (taken: i64) (n: i64) : i64 =
  let (column, _) =
    loop (column, n) = (0, n) while n > 0 || (taken >> column) & 1 == 1 do
      (column + 1, n - 1 + ((taken >> column) & 1))
  in column

-- | The term of one permutation, by its number in lexicographic order: each row takes one of the columns that are left, and
-- the sign changes with each column that it passes over.
def term [l] (a: [l][l]f64) (number: i64) : f64 =
  let (product, _, _, _) =
    loop (product, taken, number, choices) = (1, 0, number, factorial l) for row < l do
      let choices = choices / (l - row)
      let passed = number / choices
      let column = nth_left taken passed
      let factor = if passed % 2 == 0 then a[row, column] else -a[row, column]
      in (product * factor, taken | (1 << column), number % choices, choices)
  in product

def determinant [l] (a: [l][l]f64) : f64 = f64.sum (tabulate (factorial l) (term a))

entry primal [l] (a: [l][l]f64) : f64 = determinant a

entry gradient [l] (a: [l][l]f64) : [l][l]f64 = vjp determinant a 1
