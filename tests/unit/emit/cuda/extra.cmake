target_link_libraries(${test} PRIVATE emit_verify)

# The golden files compile without a warning.
file(GLOB golden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/cuda/*.cu)
add_test(NAME golden_cuda_compiles COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile cuda ${golden})
set_tests_properties(golden_cuda_compiles PROPERTIES LABELS slow)

# So do programs with every function of every type and every statement.
add_test(NAME cuda_everything_compiles COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/compile_everything cuda $<TARGET_FILE:${test}>)
set_tests_properties(cuda_everything_compiles PROPERTIES LABELS slow)
