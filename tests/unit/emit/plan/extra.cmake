target_link_libraries(${test} PRIVATE transform_parallel transform frontend_modules emit_run emit_cuda emit_cpp)
# Some files write core programs, by functions that are called like what others write plans with.
foreach(file ${sources})
  file(STRINGS ${file} of_core_programs REGEX "core_programs.hpp|program_builder.hpp")
  if(of_core_programs)
    set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endforeach()
