# Tests are written as Futhark programs; tests/unit/transform/program_builder.hpp is shared with others.
target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(${test} PRIVATE transform_lower frontend_parse frontend_modules)
