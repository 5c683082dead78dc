# Tests are written as Futhark programs.
target_link_libraries(${test} PRIVATE transform_lower transform_reorder transform_simplify frontend_parse frontend_modules)
# Many more random programs than the fast run has, so that every rule fires often: the table at the end says how often.
add_test(NAME ad_random_programs COMMAND ${test} --log_level=message)
set_tests_properties(ad_random_programs PROPERTIES LABELS slow COST 150 ENVIRONMENT BOUSTRO_RANDOM_PROGRAMS=1000)
