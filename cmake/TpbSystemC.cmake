# Finds the installed SystemC and the C++ standard it was built with: the library exports a symbol that names its
# standard, and code compiled for another one does not link.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc>=2.3.3)

include(CheckCXXSourceCompiles)
set(_tpb_systemc_probe "#include <systemc>\nint sc_main(int, char**) { return sc_core::sc_time_stamp().value() != 0; }")
foreach(standard 201703L 202002L 201402L 201103L)
  if(NOT TPB_SYSTEMC_CPLUSPLUS)
    set(CMAKE_REQUIRED_DEFINITIONS -DSC_CPLUSPLUS=${standard})
    set(CMAKE_REQUIRED_LIBRARIES PkgConfig::SYSTEMC)
    set(CMAKE_REQUIRED_FLAGS -std=c++20)
    check_cxx_source_compiles("${_tpb_systemc_probe}" TPB_SYSTEMC_LINKS_${standard})
    if(TPB_SYSTEMC_LINKS_${standard})
      set(TPB_SYSTEMC_CPLUSPLUS ${standard} CACHE INTERNAL "C++ standard of the installed SystemC")
    endif()
  endif()
endforeach()
unset(CMAKE_REQUIRED_DEFINITIONS)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT TPB_SYSTEMC_CPLUSPLUS)
  message(FATAL_ERROR "The SystemC library found by pkg-config links with none of the C++ standards 11 to 20. "
    "tpbsim needs SystemC 2.3.3 or later built as one of them (Debian 12: libsystemc-dev).")
endif()

add_library(tpb_systemc INTERFACE)
target_link_libraries(tpb_systemc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(tpb_systemc INTERFACE SC_CPLUSPLUS=${TPB_SYSTEMC_CPLUSPLUS})
# Its headers are not written for this project's warnings.
get_target_property(_tpb_systemc_includes PkgConfig::SYSTEMC INTERFACE_INCLUDE_DIRECTORIES)
if(_tpb_systemc_includes)
  target_include_directories(tpb_systemc SYSTEM INTERFACE ${_tpb_systemc_includes})
endif()
