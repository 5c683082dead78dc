# Every template compiles on its own.
boustro_ctest(templates_compile slow ${PROJECT_SOURCE_DIR}/tests/templates/compile)
