# The golden files compile without a warning.
file(GLOB golden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/cpp/*.cpp)
add_test(NAME golden_cpp_compiles COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile cpp ${golden})
set_tests_properties(golden_cpp_compiles PROPERTIES LABELS slow)

# So does a program with every function of every type.
add_test(NAME cpp_scalars_compile COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile_scalars cpp $<TARGET_FILE:${test}>)
set_tests_properties(cpp_scalars_compile PROPERTIES LABELS slow)
