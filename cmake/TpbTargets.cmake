# One line per target: its sources and what it stands on.
include(GoogleTest)

function(tpb_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tpb_flags ${ARG_LINKS})
endfunction()

# A test program whose every case is its own ctest case (and process). Tests that simulate link tpb_test_main,
# which turns SystemC warnings and errors into failures.
function(tpb_test name)
  cmake_parse_arguments(ARG "SIMULATES" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tpb_flags ${ARG_LINKS} GTest::gmock)
  if(ARG_SIMULATES)
    target_link_libraries(${name} PRIVATE tpb_simulation_main)
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_compile_definitions(${name} PRIVATE TPB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()
