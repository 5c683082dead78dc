type~ row = [3]f32
type table = [4]row -- error: an array cannot hold a `row`
