target_link_libraries(${test} PRIVATE transform_parallel transform frontend_modules emit_run emit_cuda emit_cpp)
