target_link_libraries(${test} PRIVATE transform_parallel emit_run emit_cuda emit_cpp)
