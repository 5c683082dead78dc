target_link_libraries(${test} PRIVATE emit_run emit_cuda emit_cpp)
