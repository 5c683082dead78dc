# Tests are written as Futhark programs.
target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(${test} PRIVATE transform frontend_modules)
