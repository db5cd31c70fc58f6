# Finds the libraries that holonom is built on. The build includes this file, and so does the installed package
# of a static library, so both find the same things in the same way.
#
#   holonom_find_lapack()       LAPACK::LAPACK, required
#   holonom_find_suitesparse()  holonom::suitesparse: AMD, COLAMD, BTF, KLU (BSD and LGPL parts only)
#   holonom_find_hdf5()         holonom::hdf5: the serial C library
#   holonom_find_fyaml()        holonom::fyaml
#   holonom_find_cairo()        holonom::cairo: pictures as PNG and PDF
#   holonom_find_sundials()     holonom::sundials: CVODE and IDA, version 6.2 or later
#   holonom_find_nlopt()        holonom::nlopt: optimization
#   holonom_find_cminpack()     holonom::cminpack: Levenberg-Marquardt
#   holonom_find_xml2()         holonom::xml2: XML, for robot descriptions
#   holonom_find_zip()          holonom::zip: archives, for FMUs
#   holonom_find_mpi()          holonom::mpi: Open MPI, for studies on several machines
#
# Each optional one sets holonom_<part>_FOUND, and holonom_<part>_REQUIRES (pkg-config modules) or
# holonom_<part>_LIBS (linker flags), which the pkg-config file of holonom repeats.

macro(holonom_find_lapack)
  if(NOT DEFINED BLA_SIZEOF_INTEGER)
    set(BLA_SIZEOF_INTEGER 4)
  endif()
  find_package(LAPACK QUIET)
endmacro()

# Make holonom::<part> from include directories and libraries.
function(holonom_imported part includes libraries)
  if(NOT TARGET holonom::${part})
    add_library(holonom::${part} INTERFACE IMPORTED GLOBAL)
    set_target_properties(holonom::${part} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${includes}"
      INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endfunction()

# holonom::<part> from a pkg-config module.
macro(holonom_find_by_pkg_config part module)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(holonom_pc_${module} QUIET ${module})
    if(holonom_pc_${module}_FOUND)
      holonom_imported(${part} "${holonom_pc_${module}_INCLUDE_DIRS}" "${holonom_pc_${module}_LINK_LIBRARIES}")
      set(holonom_${part}_FOUND TRUE)
      set(holonom_${part}_REQUIRES ${module})
      set(holonom_${part}_VERSION ${holonom_pc_${module}_VERSION})
    endif()
  endif()
endmacro()

# The libraries of a part that has no pkg-config module, by name, into _holonom_libraries and holonom_<part>_LIBS.
macro(holonom_find_libraries part)
  set(_holonom_libraries "")
  set(holonom_${part}_LIBS "")
  string(TOUPPER ${part} _holonom_upper)
  foreach(_holonom_name ${ARGN})
    find_library(HOLONOM_${_holonom_upper}_${_holonom_name} ${_holonom_name})
    mark_as_advanced(HOLONOM_${_holonom_upper}_${_holonom_name})
    if(NOT HOLONOM_${_holonom_upper}_${_holonom_name})
      set(holonom_${part}_FOUND FALSE)
    endif()
    list(APPEND _holonom_libraries "${HOLONOM_${_holonom_upper}_${_holonom_name}}")
    list(APPEND holonom_${part}_LIBS -l${_holonom_name})
  endforeach()
endmacro()

macro(holonom_find_suitesparse)
  set(holonom_suitesparse_FOUND TRUE)
  find_path(HOLONOM_SUITESPARSE_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
  mark_as_advanced(HOLONOM_SUITESPARSE_INCLUDE_DIR)
  if(NOT HOLONOM_SUITESPARSE_INCLUDE_DIR)
    set(holonom_suitesparse_FOUND FALSE)
  endif()
  holonom_find_libraries(suitesparse klu btf amd colamd suitesparseconfig)
  if(holonom_suitesparse_FOUND)
    # Both spellings, <klu.h> and <suitesparse/klu.h>, are found.
    set(_holonom_includes "${HOLONOM_SUITESPARSE_INCLUDE_DIR}")
    cmake_path(GET HOLONOM_SUITESPARSE_INCLUDE_DIR PARENT_PATH _holonom_parent)
    if(NOT _holonom_parent IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
      list(APPEND _holonom_includes "${_holonom_parent}")
    endif()
    holonom_imported(suitesparse "${_holonom_includes}" "${_holonom_libraries}")
  endif()
endmacro()

macro(holonom_find_hdf5)
  # Where a parallel build of HDF5 is installed too, the plain name may mean that one.
  set(holonom_hdf5_FOUND FALSE)
  holonom_find_by_pkg_config(hdf5 hdf5-serial)
  if(NOT holonom_hdf5_FOUND)
    holonom_find_by_pkg_config(hdf5 hdf5)
  endif()
  if(NOT holonom_hdf5_FOUND)
    find_package(HDF5 QUIET COMPONENTS C)
    if(HDF5_FOUND)
      holonom_imported(hdf5 "${HDF5_C_INCLUDE_DIRS}" "${HDF5_C_LIBRARIES}")
      set(holonom_hdf5_FOUND TRUE)
      set(holonom_hdf5_LIBS ${HDF5_C_LIBRARIES})
      set(holonom_hdf5_VERSION ${HDF5_VERSION})
    endif()
  endif()
endmacro()

macro(holonom_find_fyaml)
  set(holonom_fyaml_FOUND FALSE)
  holonom_find_by_pkg_config(fyaml libfyaml)
endmacro()

macro(holonom_find_cairo)
  set(holonom_cairo_FOUND FALSE)
  holonom_find_by_pkg_config(cairo cairo-pdf)
endmacro()

macro(holonom_find_nlopt)
  set(holonom_nlopt_FOUND FALSE)
  holonom_find_by_pkg_config(nlopt nlopt)
endmacro()

macro(holonom_find_cminpack)
  set(holonom_cminpack_FOUND FALSE)
  holonom_find_by_pkg_config(cminpack cminpack)
endmacro()

macro(holonom_find_xml2)
  set(holonom_xml2_FOUND FALSE)
  holonom_find_by_pkg_config(xml2 libxml-2.0)
endmacro()

macro(holonom_find_zip)
  set(holonom_zip_FOUND FALSE)
  holonom_find_by_pkg_config(zip libzip)
endmacro()

# Open MPI: the program loads its library, whose handles are addresses of objects in it; those of others are not.
macro(holonom_find_mpi)
  set(holonom_mpi_FOUND FALSE)
  holonom_find_by_pkg_config(mpi ompi-c)
endmacro()

# The serial libraries alone: each contains the vectors and iterations that it needs.
macro(holonom_find_sundials)
  set(holonom_sundials_FOUND TRUE)
  find_path(HOLONOM_SUNDIALS_INCLUDE_DIR cvode/cvode_proj.h)
  mark_as_advanced(HOLONOM_SUNDIALS_INCLUDE_DIR)
  if(NOT HOLONOM_SUNDIALS_INCLUDE_DIR)
    set(holonom_sundials_FOUND FALSE)
  else()
    file(STRINGS "${HOLONOM_SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" _holonom_line
      REGEX "^#define SUNDIALS_VERSION \"")
    string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" holonom_sundials_VERSION "${_holonom_line}")
    if(holonom_sundials_VERSION VERSION_LESS 6.2 OR holonom_sundials_VERSION VERSION_GREATER_EQUAL 7)
      set(holonom_sundials_FOUND FALSE)
    endif()
  endif()
  holonom_find_libraries(sundials sundials_cvode sundials_ida)
  if(holonom_sundials_FOUND)
    holonom_imported(sundials "${HOLONOM_SUNDIALS_INCLUDE_DIR}" "${_holonom_libraries}")
  endif()
endmacro()
