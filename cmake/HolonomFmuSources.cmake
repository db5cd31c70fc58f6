# The files that FMUs of sources share, as a C file of arrays: hol__fmu_texts of src/fmu/texts.h.
#
#   cmake -D OUT=<file> -D FILES="a;b" -P HolonomFmuSources.cmake     writes it
#   include(cmake/HolonomFmuSources.cmake)                           adds the rule; fmu_texts is the file
#
# All stand in one folder of the FMU, so that includes lose their folders.

if(CMAKE_SCRIPT_MODE_FILE)
  set(arrays "")
  set(table "")
  set(k 0)
  foreach(file IN LISTS FILES)
    cmake_path(GET file FILENAME name)
    file(READ ${file} text)
    string(REGEX REPLACE "#include [\"<]([a-z0-9_]+/)+([a-z0-9_]+\\.h)[\">]" "#include \"\\2\"" text "${text}")
    string(HEX "${text}" hex)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
    string(REGEX REPLACE "('.....,'.....,'.....,'.....,'.....,'.....,'.....,'.....,'.....,'.....,)" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const char text_${k}[] = {\n${bytes}0};\n\n")
    string(APPEND table "    {\"${name}\", text_${k}},\n")
    math(EXPR k "${k} + 1")
  endforeach()
  file(WRITE ${OUT}
    "/* Made by cmake/HolonomFmuSources.cmake. */\n#include \"fmu/texts.h\"\n\n${arrays}"
    "const hol__fmu_text hol__fmu_texts[] = {\n${table}    {0, 0},\n};\n")
  return()
endif()

set(fmu_texts ${PROJECT_BINARY_DIR}/fmu/texts.c)
file(GLOB fmu_shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmu/module/*.[ch] ${PROJECT_SOURCE_DIR}/src/fmu/sources/*.[ch])
list(FILTER fmu_shared EXCLUDE REGEX "/(streams\\.c|exports\\.h)$")
list(APPEND fmu_shared ${PROJECT_SOURCE_DIR}/src/fmu/calls.h ${PROJECT_SOURCE_DIR}/src/fmu/checks.c
  ${PROJECT_SOURCE_DIR}/include/holonom/status.h)
add_custom_command(OUTPUT ${fmu_texts}
  COMMAND ${CMAKE_COMMAND} -D OUT=${fmu_texts} "-DFILES=${fmu_shared}" -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${fmu_shared} ${CMAKE_CURRENT_LIST_FILE} COMMENT "Collecting the sources of FMUs" VERBATIM)
