entry f 'a (x: a) = x -- error: an entry point cannot be polymorphic in `'a`
