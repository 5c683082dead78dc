import "imported/names"
def a = visible
def b = hidden -- error: `hidden` is not defined here
def c = indirect -- error: `indirect` is not defined here
