-- Each of the definitions is told about; and cases are not looked at whose type is not known.
def one (x: f64) : f64 =
  match (if x > 0 then #some x else #none) -- error: which sum type has the constructor `#some` cannot be inferred here
  case #some v -> v
  case #none -> 0

def other (x: f64) : f64 =
  match (if x > 0 then #some x else #none) -- error: which sum type has the constructor `#some` cannot be inferred here
  case #some v -> v
  case #none -> 0
