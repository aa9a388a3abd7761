# Collects what GPU compilers say during a normal build, for `regpress-lint measure`. Copy it into a project, then:
#
#   include(RegpressMeasure)
#   regpress_measure(my_target)              # HIP and CUDA sources of the target
#   regpress_measure(other LANGUAGES CXX)    # C++ sources that clang compiles with `-x hip`
#
# A build writes ${CMAKE_BINARY_DIR}/regpress.log; each command and its words are appended in one piece, so that parallel
# builds do not mix lines. `cmake --build . --target regpress-measure` prints the table. Needs a POSIX shell.

set(REGPRESS_LOG "${CMAKE_BINARY_DIR}/regpress.log" CACHE FILEPATH "What GPU compilers said")
set(_regpress_launcher "${CMAKE_BINARY_DIR}/regpress-launcher")
file(WRITE "${_regpress_launcher}" "#!/bin/sh
log=$1
shift
words=$(\"$@\" 2>&1)
status=$?
printf '%s\\n%s\\n' \"$*\" \"$words\" >> \"$log\"
if [ $status -ne 0 ]; then printf '%s\\n' \"$words\" >&2; fi
exit $status
")
file(CHMOD "${_regpress_launcher}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

function(regpress_measure target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LANGUAGES")
  if(NOT ARG_LANGUAGES)
    set(ARG_LANGUAGES HIP CUDA)
  endif()
  foreach(language IN LISTS ARG_LANGUAGES)
    if(language STREQUAL "CUDA")
      set(option "-Xptxas=-v")
    else()
      set(option "-Rpass-analysis=kernel-resource-usage")
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${option}>")
    set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${_regpress_launcher};${REGPRESS_LOG}")
  endforeach()
  if(NOT TARGET regpress-measure)
    add_custom_target(regpress-measure COMMAND regpress-lint measure --log "${REGPRESS_LOG}" VERBATIM)
  endif()
endfunction()
