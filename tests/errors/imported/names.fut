local def hidden = 1
import "more_names"
def visible = 2
