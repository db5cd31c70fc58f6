# What the compiler and the linker can do against mistakes that an input could use: bounds of the C library's calls,
# guards on the stack, addresses that differ from run to run, symbols bound and sealed before main.
# A sanitizer does the same and more in its own way, so it takes the place of all this.
set(holonom_hardened OFF)
if(HOLONOM_HARDEN AND NOT HOLONOM_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(holonom_hardened ON)
  include(CheckPIESupported)
  include(CheckLinkerFlag)
  check_pie_supported(LANGUAGES C)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)

  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "have${flag}" have)
    check_c_compiler_flag(${flag} ${have})
    if(${have})
      target_compile_options(holonom_flags INTERFACE ${flag})
    endif()
  endforeach()
  # The C library checks bounds only in optimised code. What a distribution has set already is replaced.
  target_compile_options(holonom_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)

  foreach(flag IN ITEMS relro now noexecstack)
    check_linker_flag(C "-Wl,-z,${flag}" have_z_${flag})
    if(have_z_${flag})
      target_link_options(holonom_flags INTERFACE "-Wl,-z,${flag}")
    endif()
  endforeach()
endif()
