# boustro_add_library(NAME FILE.fut
#                     [TARGET cuda|cpp] [NAMESPACE a::b]
#                     [ENTRIES f...] [VJP f...] [JVP f...] [WRT x...]
#                     [INCLUDE folder...] [OPTIONS option...]
#                     [BINDINGS python|torch|jax...])
#
# A static library NAME of what FILE.fut is translated to, whose users find the header NAME.hpp. Both are written when the library is built,
# and again when FILE.fut or a file that it imports changes. If there are programs with OpenMP here, those for TARGET cpp use all processors.
#
#   TARGET     cuda (if it is not given), which needs the language CUDA, or cpp
#   NAMESPACE  around the functions; NAME if it is not given
#   ENTRIES    the entry points to translate; all if none is given
#   VJP, JVP   functions whose derivatives, f_vjp and f_jvp, become entry points, too
#   WRT        parameters of these functions, with respect to which to differentiate; all floats if none is given
#   INCLUDE    folders whose files FILE.fut may import besides those of its own
#   OPTIONS    more options of `boustro translate`
#   BINDINGS   targets NAME_python, NAME_torch and NAME_jax besides, of what Python loads to call the functions (BoustroBindings.cmake). For the
#              last two each function has its derivative; `python` needs TARGET cpp
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/BoustroBindings.cmake")

function(boustro_add_library name)
  _boustro_read_arguments(${name} ${ARGN})  # the variables that begin with boustro_
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/boustro/${name})
  set(source ${folder}/${name}.${boustro_extension})
  set(header ${folder}/${name}.hpp)
  list(TRANSFORM boustro_binding_files PREPEND ${folder}/)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${source} ${header} ${boustro_binding_files}
    COMMAND Boustro::boustro translate ${boustro_file} -o ${source} --depfile ${source}.d ${boustro_options}
    DEPENDS ${boustro_file} Boustro::boustro
    DEPFILE ${source}.d
    COMMENT "Translating ${boustro_file}"
    VERBATIM)

  add_library(${name} STATIC ${source} ${header})
  if(boustro_BINDINGS AND boustro_TARGET STREQUAL "cuda")
    target_sources(${name} PRIVATE ${folder}/${name}_cpu.cpp)
  endif()
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${folder})
  if(boustro_TARGET STREQUAL "cuda")
    target_compile_features(${name} PRIVATE cuda_std_17 PUBLIC cxx_std_17)
    find_package(CUDAToolkit REQUIRED)
    target_include_directories(${name} SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})  # of the header
  else()
    target_compile_features(${name} PUBLIC cxx_std_17)
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)  # by flags and files, which are known in all folders, other than targets that are found
      separate_arguments(flags NATIVE_COMMAND "${OpenMP_CXX_FLAGS}")
      target_compile_options(${name} PRIVATE ${flags})
      target_link_libraries(${name} PRIVATE ${OpenMP_CXX_LIBRARIES})
    endif()
  endif()
  foreach(kind IN LISTS boustro_BINDINGS)
    _boustro_add_binding(${name} ${kind} ${folder})
  endforeach()
endfunction()

# What boustro_add_library was told, checked: boustro_file, boustro_extension, boustro_options, boustro_TARGET, boustro_BINDINGS and
# boustro_binding_files of the caller.
macro(_boustro_read_arguments name)
  cmake_parse_arguments(boustro "" "TARGET;NAMESPACE" "ENTRIES;VJP;JVP;WRT;INCLUDE;OPTIONS;BINDINGS" ${ARGN})
  if(boustro_KEYWORDS_MISSING_VALUES)
    _boustro_refuse(${name} "nothing stands behind ${boustro_KEYWORDS_MISSING_VALUES}")
  endif()
  list(POP_FRONT boustro_UNPARSED_ARGUMENTS boustro_file)
  if(boustro_UNPARSED_ARGUMENTS)
    _boustro_refuse(${name} "unknown arguments: ${boustro_UNPARSED_ARGUMENTS}")
  endif()
  _boustro_find_program(${name})
  _boustro_find_file(${name})
  _boustro_choose_target(${name})
  _boustro_check_bindings(${name})
  _boustro_collect_options()
endmacro()

function(_boustro_refuse name reason)
  message(FATAL_ERROR "boustro_add_library(${name}): ${reason}")
endfunction()

macro(_boustro_find_program name)
  if(NOT TARGET Boustro::boustro OR NOT EXISTS "${Boustro_EXECUTABLE}")
    _boustro_refuse(${name} "the program boustro is missing: \"${Boustro_EXECUTABLE}\". Call find_package(Boustro) in this folder or above")
  endif()
endmacro()

# Makes boustro_file absolute. A file that the build makes need not be there yet.
macro(_boustro_find_file name)
  if(NOT boustro_file)
    _boustro_refuse(${name} "the program to translate is missing: boustro_add_library(NAME FILE.fut ..)")
  endif()
  get_filename_component(boustro_file "${boustro_file}" ABSOLUTE)
  get_source_file_property(boustro_is_made "${boustro_file}" GENERATED)
  if(NOT EXISTS "${boustro_file}" AND NOT boustro_is_made)
    _boustro_refuse(${name} "there is no file ${boustro_file}")
  endif()
endmacro()

macro(_boustro_choose_target name)
  if(NOT boustro_TARGET)
    set(boustro_TARGET cuda)
  endif()
  set(boustro_extension_cuda cu)
  set(boustro_language_cuda CUDA)
  set(boustro_extension_cpp cpp)
  set(boustro_language_cpp CXX)
  set(boustro_extension ${boustro_extension_${boustro_TARGET}})
  if(NOT boustro_extension)
    _boustro_refuse(${name} "TARGET is cuda or cpp, not ${boustro_TARGET}")
  endif()
  get_property(boustro_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(boustro_language ${boustro_language_${boustro_TARGET}})
  if(NOT boustro_language IN_LIST boustro_languages)
    set(boustro_hint "project(.. LANGUAGES ${boustro_language}) or enable_language(${boustro_language}) does that")
    if(boustro_TARGET STREQUAL "cuda")
      string(APPEND boustro_hint "; TARGET cpp needs no CUDA")
    endif()
    _boustro_refuse(${name} "TARGET ${boustro_TARGET} needs the language ${boustro_language}, which is not enabled: ${boustro_hint}")
  endif()
endmacro()

# The options of `boustro translate` for what was asked for.
macro(_boustro_collect_options)
  set(boustro_options --target ${boustro_TARGET})
  if(boustro_NAMESPACE)
    list(APPEND boustro_options --namespace ${boustro_NAMESPACE})
  endif()
  _boustro_add_options(--entry ${boustro_ENTRIES})
  _boustro_add_options(--vjp ${boustro_VJP})
  _boustro_add_options(--jvp ${boustro_JVP})
  if(boustro_WRT)
    list(JOIN boustro_WRT "," boustro_wrt)
    list(APPEND boustro_options --wrt ${boustro_wrt})
  endif()
  foreach(boustro_folder IN LISTS boustro_INCLUDE)
    get_filename_component(boustro_folder "${boustro_folder}" ABSOLUTE)
    _boustro_add_options(--include ${boustro_folder})
  endforeach()
  if(boustro_BINDINGS)
    list(JOIN boustro_BINDINGS "," boustro_kinds)
    list(APPEND boustro_options --bindings ${boustro_kinds})
  endif()
  list(APPEND boustro_options ${boustro_OPTIONS})
endmacro()

macro(_boustro_add_options option)
  foreach(boustro_value ${ARGN})
    list(APPEND boustro_options ${option} ${boustro_value})
  endforeach()
endmacro()
