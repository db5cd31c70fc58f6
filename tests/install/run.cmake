# Install the build into a scratch prefix, then build and run user.c against it twice: through find_package and
# through pkg-config. Runs in its scratch folder. Given: BUILD CONFIG CC GENERATOR LIBDIR BINDIR VERSION PROGRAM.
set(source ${CMAKE_CURRENT_LIST_DIR})
set(scratch ${BUILD}/scratch/install)
set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${prefix} ${scratch}/user-cmake ${scratch}/user-pkg-config)

# Run a command; the first argument says what it does, and its output goes to the variable output.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err
    WORKING_DIRECTORY ${scratch})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status})\n${out}${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

# The program says its version first.
function(check_output what)
  if(NOT output MATCHES "^holonom ${VERSION}\n")
    message(FATAL_ERROR "${what}: the program said\n${output}")
  endif()
  message(STATUS "${what}: ok")
endfunction()

run("installing" ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${prefix})

run("configuring with find_package" ${CMAKE_COMMAND} -S ${source} -B ${scratch}/user-cmake -G ${GENERATOR}
  -D CMAKE_C_COMPILER=${CC} -D CMAKE_PREFIX_PATH=${prefix} -D WANTED=${VERSION} -D WHOLE=${PROGRAM})
run("building with find_package" ${CMAKE_COMMAND} --build ${scratch}/user-cmake)
run("running what find_package built" ${scratch}/user-cmake/user)
check_output("find_package")

# The installed program starts from its new place.
if(PROGRAM)
  run("running the installed program" ${prefix}/${BINDIR}/holonom --version)
  if(NOT output MATCHES "${VERSION}")
    message(FATAL_ERROR "the installed program said\n${output}")
  endif()
  message(STATUS "installed program: ok")
  foreach(page man/man1/holonom.1 man/man1/holonom-run.1 bash-completion/completions/holonom zsh/site-functions/_holonom
      fish/vendor_completions.d/holonom.fish)
    if(NOT EXISTS ${prefix}/share/${page})
      message(FATAL_ERROR "share/${page} was not installed")
    endif()
  endforeach()
  run("asking what the installed program is built with" ${prefix}/${BINDIR}/holonom version --features)
  if(output MATCHES "fyaml +yes")
    run("running a claim of the installed program" ${prefix}/${BINDIR}/holonom reproduce pv-table-2-pendulum)
    if(NOT output MATCHES "pv-table-2-pendulum: holds")
      message(FATAL_ERROR "the installed program said\n${output}")
    endif()
    message(STATUS "installed claims: ok")
  endif()
  if(CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
    run("reading the installed binaries" sh ${source}/../../tools/check_binaries.sh ${prefix})
  endif()
endif()

find_program(pkg_config NAMES pkg-config pkgconf)
if(NOT pkg_config)
  message(FATAL_ERROR "pkg-config was not found")
endif()
file(MAKE_DIRECTORY ${scratch}/user-pkg-config)
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run("asking pkg-config" ${pkg_config} --cflags --libs holonom)
if(PROGRAM AND CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
  string(REPLACE "-lholonom" "-Wl,--whole-archive -lholonom -Wl,--no-whole-archive" output "${output}")
endif()
separate_arguments(flags UNIX_COMMAND "${output}")
run("building with pkg-config" ${CC} ${source}/user.c -o ${scratch}/user-pkg-config/user ${flags})
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
run("running what pkg-config built" ${scratch}/user-pkg-config/user)
check_output("pkg-config")
