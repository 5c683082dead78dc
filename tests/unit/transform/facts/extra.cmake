# tests/unit/transform/program_builder.hpp is shared by the tests of several folders.
target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(${test} PRIVATE transform frontend_modules)  # programs of nests, and from text
