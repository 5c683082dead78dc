target_link_libraries(${test} PRIVATE frontend_parse frontend_modules frontend_test_blocks frontend_values)
