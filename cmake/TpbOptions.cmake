# Language level, warnings, exactness and instrumentation for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(TPB_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(TPB_COVERAGE "Build with coverage counters" OFF)

find_program(TPB_CCACHE ccache)
if(TPB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TPB_CCACHE})
endif()

add_library(tpb_flags INTERFACE)
target_compile_options(tpb_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Werror
  # Values are a contract: no contraction of multiply and add, on any build.
  -ffp-contract=off)
target_include_directories(tpb_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(TPB_SANITIZE)
  target_compile_options(tpb_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # g++ 12 with sanitizers takes members of its own library's variants and regular expressions for uninitialised.
    -Wno-maybe-uninitialized)
  target_link_options(tpb_flags INTERFACE -fsanitize=address,undefined)
endif()
if(TPB_COVERAGE)
  target_compile_options(tpb_flags INTERFACE --coverage)
  target_link_options(tpb_flags INTERFACE --coverage)
endif()
