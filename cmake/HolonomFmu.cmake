# The runtime of FMUs: one shared object, holonom_fmu.so, that has the library inside, shows the functions of FMI 2.0 and 3.0
# and nothing else, and needs the C library alone. `holonom fmu` copies it into every FMU, so it holds LAPACK, SuiteSparse,
# libfyaml and SUNDIALS as static libraries, of the same versions that the program is linked with: the same bits.
#
# Where one of them is not there as a static library that can be part of a shared object, the runtime is not built, and
# `holonom fmu` says that it is missing.

set(holonom_fmu_BUILT 0)

# The static library of that name into `result`; the names that were not found are appended to holonom_fmu_missing.
macro(holonom_static result name)
  find_library(HOLONOM_STATIC_${name} NAMES lib${name}.a PATH_SUFFIXES openblas-serial)
  mark_as_advanced(HOLONOM_STATIC_${name})
  if(HOLONOM_STATIC_${name})
    list(APPEND ${result} ${HOLONOM_STATIC_${name}})
  else()
    list(APPEND holonom_fmu_missing lib${name}.a)
  endif()
endmacro()

set(holonom_fmu_missing "")
set(fmu_libraries "")
if(NOT HOLONOM_FMU OR HOLONOM_SANITIZE OR HOLONOM_COVERAGE OR HOLONOM_FUZZ)
  set(holonom_fmu_missing "it is switched off")
elseif(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_OBJCOPY)
  set(holonom_fmu_missing "Linux and objcopy")
elseif(NOT holonom_fyaml_BUILT)
  set(holonom_fmu_missing "libfyaml")
else()
  if(holonom_suitesparse_BUILT)
    foreach(name klu btf amd colamd suitesparseconfig)
      holonom_static(fmu_libraries ${name})
    endforeach()
  endif()
  if(holonom_sundials_BUILT)
    foreach(name sundials_cvode sundials_ida)
      holonom_static(fmu_libraries ${name})
    endforeach()
  endif()
  holonom_static(fmu_yaml fyaml)
  holonom_static(fmu_libraries openblas)
endif()

if(NOT holonom_fmu_missing)
  # libfyaml is not made for shared objects: it takes the standard streams by their place in the program. In our copy they are
  # variables of the runtime.
  set(fyaml_here ${PROJECT_BINARY_DIR}/fmu/libfyaml.a)
  add_custom_command(OUTPUT ${fyaml_here}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=fmu_stdin --redefine-sym stdout=fmu_stdout --redefine-sym stderr=fmu_stderr
      ${fmu_yaml} ${fyaml_here}
    DEPENDS ${fmu_yaml} VERBATIM)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fmu)

  file(GLOB fmu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fmu/module/*.c)
  set(fmu_inside ${library_with_internals})
  if(NOT BUILD_SHARED_LIBS OR TARGET holonom_internals)
    add_custom_target(holonom_fmu_parts DEPENDS ${fyaml_here})
    # OpenBLAS is inside, and loaded by nobody
    if(holonom_openblas_LATE)
      list(APPEND fmu_sources ${PROJECT_BINARY_DIR}/late/la/openblas_here.c)
    endif()
    add_library(holonom_fmu MODULE ${fmu_sources})
    add_dependencies(holonom_fmu holonom_fmu_parts ${fmu_inside})
    target_include_directories(holonom_fmu PRIVATE include src ${PROJECT_BINARY_DIR}/late)
    target_link_libraries(holonom_fmu PRIVATE holonom_flags $<TARGET_FILE:${fmu_inside}> ${fmu_libraries} ${fyaml_here}
      -l:libgfortran.a -l:libquadmath.a m)
    target_link_options(holonom_fmu PRIVATE -static-libgcc -Wl,-z,defs -Wl,--gc-sections -Wl,--exclude-libs,ALL
      -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/fmu.map -Wl,--strip-all)
    set_target_properties(holonom_fmu PROPERTIES PREFIX "" OUTPUT_NAME holonom_fmu LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/fmu.map
      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "")
    set(holonom_fmu_BUILT 1)
    install(TARGETS holonom_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/holonom)
    message(STATUS "With the runtime of FMUs")
  endif()
else()
  list(JOIN holonom_fmu_missing " " words)
  message(STATUS "Without the runtime of FMUs: ${words}")
endif()

# Where it is looked for, from the folder of the program, and as installed.
file(RELATIVE_PATH fmu_beside /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/holonom/holonom_fmu.so)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/fmu/module_file.c APPEND PROPERTY COMPILE_DEFINITIONS
  HOL__FMU_BESIDE="${fmu_beside}" HOL__FMU_INSTALLED="${CMAKE_INSTALL_FULL_LIBDIR}/holonom/holonom_fmu.so")
