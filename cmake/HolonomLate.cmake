# Parts whose shared library is loaded at its first use (src/base/late.h).
#
#   holonom_late(<part> <list>)   writes <part>_calls.h and <part>_calls.c from a list of names, one a line, into the folder
#                                 late/<folder of the list> of the build, and sets holonom_<part>_LATE to the file that is loaded; empty where the
#                                 part has to be linked: it is static, or HOLONOM_LATE is off. The header is then empty but for
#                                 a function that has nothing to do. <part>_here.c beside them takes the place of <part>_calls.c in
#                                 what is linked with the shared or static library all the same.
#
# Lines of the list are names of functions and objects; `#` begins a comment, `include <header>` names the headers.

option(HOLONOM_LATE "Load the libraries of OpenBLAS, HDF5, cairo, libxml2, libzip and MPI when they are first used" ON)

# The name by which the shared library of a part is loaded, into `result`; empty where it has none.
function(holonom_soname part result)
  set(${result} "" PARENT_SCOPE)
  get_target_property(libraries holonom::${part} INTERFACE_LINK_LIBRARIES)
  list(FILTER libraries INCLUDE REGEX "/lib${part}[^/]*$")
  list(JOIN libraries ";" library)
  if(NOT HOLONOM_LATE OR NOT EXISTS "${library}" OR NOT CMAKE_READELF)
    return()
  endif()
  file(REAL_PATH "${library}" file)
  execute_process(COMMAND ${CMAKE_READELF} -dW "${file}" OUTPUT_VARIABLE dynamic ERROR_QUIET)
  if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[([^\n]*)\\]")
    return()
  endif()
  set(name ${CMAKE_MATCH_1})
  # found by the system itself, also where it stands as a link to one of several (Debian's alternatives of BLAS)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET library PARENT_PATH link_folder)
  if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES OR
      (link_folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES AND EXISTS "${link_folder}/${name}"))
    set(${result} ${name} PARENT_SCOPE)
  else()
    set(${result} "${folder}/${name}" PARENT_SCOPE)
  endif()
endfunction()

function(holonom_late part list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  holonom_soname(${part} file)
  file(STRINGS ${list} lines REGEX "^[^#]")
  cmake_path(GET list PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  set(includes "")
  set(members "")
  set(redirects "")
  set(rows "")
  set(here "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^include (.*)$")
      string(APPEND includes "#include ${CMAKE_MATCH_1}\n")
    else()
      string(APPEND members "    __typeof__(${line}) *${line};\n")
      string(APPEND redirects "#define ${line} (*hol__${part}.${line})\n")
      string(APPEND here "    .${line} = ${line},\n")
      string(APPEND rows "    {\"${line}\", offsetof(hol__${part}_table, ${line})},\n")
    endif()
  endforeach()
  set(head "/* Made from ${part}_calls.txt: calls of a library that is loaded when it is first used. */\n")
  set(load "/* Before the first call: NULL, or what is wrong. */\nconst char *hol__${part}_load(void);\n")
  if(file)
    string(CONCAT header "${head}#ifndef HOL_LATE_${part}\n#define HOL_LATE_${part}\n\n${includes}\n"
      "typedef struct hol__${part}_table {\n${members}} hol__${part}_table;\n\nextern hol__${part}_table hol__${part};\n\n"
      "${load}\n#ifndef HOL_LATE_TABLE\n${redirects}#endif\n\n#endif\n")
    string(CONCAT source "${head}#define HOL_LATE_TABLE\n#include \"${folder}/${part}_calls.h\"\n\n#include \"base/late.h\"\n\n"
      "hol__${part}_table hol__${part};\n\nstatic const hol__late_name names[] = {\n${rows}};\n\n"
      "const char *hol__${part}_load(void) {\n    return hol__late_load(\"${file}\", names, (int)(sizeof names / sizeof *names), "
      "&hol__${part});\n}\n")
  else()
    string(CONCAT header "${head}#ifndef HOL_LATE_${part}\n#define HOL_LATE_${part}\n\n${includes}\n${load}\n#endif\n")
    string(CONCAT source "${head}#include \"${folder}/${part}_calls.h\"\n\nconst char *hol__${part}_load(void) {\n    return 0;\n}\n")
  endif()
  if(file)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/late/${folder}/${part}_here.c CONTENT
      "${head}#define HOL_LATE_TABLE\n#include \"${folder}/${part}_calls.h\"\n\nhol__${part}_table hol__${part} = {\n${here}};\n\nconst char *hol__${part}_load(void) {\n    return 0;\n}\n" @ONLY)
  endif()
  set(folder ${PROJECT_BINARY_DIR}/late/${folder})
  file(CONFIGURE OUTPUT ${folder}/${part}_calls.h CONTENT "${header}" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${part}_calls.c CONTENT "${source}" @ONLY)
  set(holonom_${part}_LATE "${file}" PARENT_SCOPE)
endfunction()
