-- Definitions of other files.

import "imported/area"
module deep = import "imported/deep/scaling"
open import "imported/shared"

-- ==
-- entry: unqualified
-- input { 2.0 } output { 4.0 }
entry unqualified (x: f64) = area x

-- ==
-- entry: qualified
-- input { 2.0 } output { 20.0 }
entry qualified (x: f64) = deep.scaled x

-- Both ways lead to one file, so to one type.
-- ==
-- entry: same_file
-- input { 3i32 } output { 3i32 }
entry same_file (x: i32) = token.show (deep.token.make x)

module scale = deep.by {def factor = 3.0}
-- ==
-- entry: imported_functor
-- input { 2.0 } output { 6.0 }
entry imported_functor x = scale.scaled x
