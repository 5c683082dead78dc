# Tests are written as Futhark programs, whose derivatives are taken.
target_link_libraries(${test} PRIVATE transform frontend_modules)
