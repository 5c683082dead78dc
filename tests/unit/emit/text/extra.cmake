# Every template compiles on its own.
add_test(NAME templates_compile COMMAND ${PROJECT_SOURCE_DIR}/tests/templates/compile)
set_tests_properties(templates_compile PROPERTIES LABELS slow)
