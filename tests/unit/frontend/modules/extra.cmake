target_link_libraries(${test} PRIVATE frontend_modules)
