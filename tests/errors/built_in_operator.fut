def (&&) (x: bool) (_: bool) = x -- error: the operator `&&` cannot be redefined
