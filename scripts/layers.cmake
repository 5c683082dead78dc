# How folders become libraries.
#
# A layer is a top-level folder. What its libraries can include is a link farm in the build folder
# that holds the layer and the layers below it, so that an include that points the wrong way
# (`transform` including "emit/...") does not compile.

# boustro_layer(NAME [LOWER]): LOWER is the layer that NAME may use.
function(boustro_layer name)
  set(root ${CMAKE_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${root}/${name} SYMBOLIC)
  add_library(layer_${name} INTERFACE)
  target_include_directories(layer_${name} INTERFACE ${root})
  foreach(lower ${ARGN})
    target_link_libraries(layer_${name} INTERFACE layer_${lower})
  endforeach()
endfunction()

# boustro_unite(LIBRARY): its files are compiled 32 at a time. Reading the headers and instantiating what is in them takes most of
# the time for one, and nearly as much for all. So a name in an unnamed namespace stands for one thing in the whole library.
# Each file still includes what it uses: the preset `debug` compiles one by one.
function(boustro_unite library)
  set_target_properties(${library} PROPERTIES UNITY_BUILD ${BOUSTRO_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 32)
endfunction()

# boustro_library(LAYER_FOLDER LINKS...): a library of all .cpp files of the current folder and the
# folders in it, linked to the named libraries. The first word of its name is its layer.
function(boustro_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  string(REGEX MATCH "^[a-z]+" layer ${name})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC layer_${layer} fmt::fmt ${ARGN})
    target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
    boustro_unite(${name})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE layer_${layer} fmt::fmt ${ARGN})
  endif()
endfunction()

# boustro_use_clang(TARGET): Clang and LLVM as shared libraries. Their headers are not ours to warn of.
function(boustro_use_clang target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE clang-cpp LLVM)
endfunction()

# boustro_precompile(TARGET HEADERS...): HEADERS are read once for all files of TARGET, and of those targets that say
# boustro_precompile_as(OTHER TARGET).
function(boustro_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

function(boustro_precompile_as target owner)
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
