# The golden files compile without a warning.
file(GLOB golden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/cpp/*.cpp)
add_test(NAME golden_cpp_compiles COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile cpp ${golden})
set_tests_properties(golden_cpp_compiles PROPERTIES LABELS slow)

# So do programs with every function of every type and every statement.
add_test(NAME cpp_everything_compiles COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile_everything cpp $<TARGET_FILE:${test}>)
set_tests_properties(cpp_everything_compiles PROPERTIES LABELS slow)
