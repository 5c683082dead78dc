-- What modules.fut imports.

local def six = 6i64
def forty_two = six * 7
