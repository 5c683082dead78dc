open import "../programs/gather" -- error: `../programs/gather` lies outside the folder of the program
import "/etc/passwd" -- error: `/etc/passwd` lies outside
