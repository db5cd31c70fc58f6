# The report page: bundled from web/ with packages of the npm registry, and compiled into the library as arrays.
#
#   holonom_find_web()   sets holonom_web_BUILT; holonom::web carries the folder of holonom_page.h
#
# Packages go to <build>/web/node_modules, by the lock file, once for each content of it. Where Node or npm is missing, or the
# registry is out of reach, the library is built without the page and says so when asked for it.

# Install the packages of the lock file in `source` into `target`; *result is TRUE when they are there.
function(holonom_npm_install source target result)
  file(SHA256 ${source}/package-lock.json lock)
  set(stamp ${target}/node_modules/.holonom-lock)
  set(installed "")
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
  endif()
  if(NOT installed STREQUAL lock)
    message(STATUS "Fetching the packages of ${source}/package-lock.json")
    file(COPY ${source}/package.json ${source}/package-lock.json DESTINATION ${target})
    execute_process(
      COMMAND ${HOLONOM_NPM} ci --no-audit --no-fund --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=30000
      WORKING_DIRECTORY ${target} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE words TIMEOUT 300)
    if(failed)
      string(SUBSTRING "${words}" 0 600 words)
      message(STATUS "npm ci failed: ${words}")
      set(${result} FALSE PARENT_SCOPE)
      return()
    endif()
    file(WRITE ${stamp} ${lock})
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

macro(holonom_find_web)
  set(holonom_web_BUILT 0)
  find_program(HOLONOM_NODE NAMES node nodejs)
  find_program(HOLONOM_NPM NAMES npm)
  mark_as_advanced(HOLONOM_NODE HOLONOM_NPM)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  if(NOT HOLONOM_WITH_WEB)
    message(STATUS "Without the report page: switched off")
  elseif(NOT HOLONOM_NODE OR NOT HOLONOM_NPM)
    message(STATUS "Without the report page: Node.js or npm was not found")
  else()
    set(web_dir ${PROJECT_BINARY_DIR}/web)
    holonom_npm_install(${PROJECT_SOURCE_DIR}/web ${web_dir} holonom_web_fetched)
    if(holonom_web_fetched)
      set(holonom_web_BUILT 1)
      message(STATUS "With the report page")
      file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
      set(holonom_page ${web_dir}/page/report/holonom_page.h)
      add_custom_command(OUTPUT ${holonom_page}
        COMMAND ${HOLONOM_NODE} ${PROJECT_SOURCE_DIR}/web/build.mjs --out ${web_dir}/page/report --modules ${web_dir}/node_modules
        DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/page.html
          ${PROJECT_SOURCE_DIR}/web/package-lock.json
        COMMENT "Bundling the report page" VERBATIM)
      holonom_imported(web ${web_dir}/page "")
      set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/report/page_with_web.c APPEND PROPERTY OBJECT_DEPENDS ${holonom_page})
    else()
      message(STATUS "Without the report page: its packages could not be fetched")
    endif()
  endif()
endmacro()
