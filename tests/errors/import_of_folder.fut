module m = { local open import "imported" } -- error: `imported` is a folder
