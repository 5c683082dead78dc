# Tests are written as Futhark programs.
target_link_libraries(${test} PRIVATE frontend_modules frontend_parse frontend_values)
