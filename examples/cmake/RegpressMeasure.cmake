# Collects what GPU compilers say during a normal build, for `regpress-lint measure`. Copy it into a project, then:
#
#   include(RegpressMeasure)
#   regpress_measure(my_target)              # HIP and CUDA sources of the target
#   regpress_measure(other LANGUAGES CXX)    # C++ sources that clang compiles with `-x hip`
#
# A build writes the folder ${CMAKE_BINARY_DIR}/regpress-logs, a file for each command: parallel builds do not mix lines, and
# what is compiled again takes the place of what was said before. `cmake --build . --target regpress-measure` prints the
# table. Needs a POSIX shell.

set(REGPRESS_LOGS "${CMAKE_BINARY_DIR}/regpress-logs" CACHE PATH "What GPU compilers said")
set(_regpress_launcher "${CMAKE_BINARY_DIR}/regpress-launcher")
file(WRITE "${_regpress_launcher}" "#!/bin/sh
folder=$1
shift
words=$(\"$@\" 2>&1)
status=$?
part=$folder/$(printf '%s' \"$*\" | cksum | tr ' ' -)
mkdir -p \"$folder\" && printf '%s\\n%s\\n' \"$*\" \"$words\" > \"$part.$$\" && mv -f \"$part.$$\" \"$part.log\"
# What the compiler said of the code is said again, without the remarks that were asked for; what failed says all.
if [ $status -ne 0 ]; then printf '%s\\n' \"$words\" >&2
elif [ -n \"$words\" ]; then
  printf '%s\\n' \"$words\" | awk '
    /^ptxas info/ || /kernel-resource-usage/ { quiet = 1; next }
    /^ +[0-9]+ bytes stack frame/ { next }
    quiet && /^ *([0-9]+ )?\\|/ { next }
    { quiet = 0; print }' >&2
fi
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
    # In front of a launcher that is there, as ccache: it is called as before, and what it says is kept. It gives out what
    # the compiler said when it answers from its cache, too.
    get_target_property(launcher ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT launcher)
      set(launcher ${CMAKE_${language}_COMPILER_LAUNCHER})
    endif()
    set(all "${_regpress_launcher}" "${REGPRESS_LOGS}" ${launcher})
    set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${all}")
  endforeach()
  if(NOT TARGET regpress-measure)
    add_custom_target(regpress-measure COMMAND regpress-lint measure --log "${REGPRESS_LOGS}" VERBATIM)
  endif()
endfunction()
