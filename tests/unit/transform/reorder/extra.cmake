# Some tests are written as Futhark programs.
target_link_libraries(${test} PRIVATE transform frontend_modules)
