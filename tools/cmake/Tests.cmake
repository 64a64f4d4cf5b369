# lodestar_add_tests(PROGRAM SOURCES … LIBRARIES … [INCLUDES …] [SYSTEM_INCLUDES …] [ENVIRONMENT …])
# The sources become one GoogleTest program, PROGRAM, of which ctest runs one source at a time: the
# test NAME of NAME.cpp. So each source has a namespace of its name. One that replaces operator new
# is a program by itself. Programs are told where the program under test and the sources of the
# project are.
#
# A source that speaks of threads gets the label "threads", and one that runs the program the label
# "program". .ci/run checks the others with sanitizers: the target library_tests has the programs of
# all folders with such sources.
add_custom_target(library_tests)

# GoogleTest, JSON and the standard library are compiled once for all tests. That needs the flags of a
# test, so it belongs to a program that is made like one.
function(lodestar_precompile)
  find_package(GTest REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(Threads REQUIRED)
  set(support ${PROJECT_SOURCE_DIR}/tests/support)
  add_library(test_main STATIC ${support}/main.cpp)
  target_link_libraries(test_main PRIVATE lodestar_options PUBLIC GTest::gtest)
  add_executable(precompiled EXCLUDE_FROM_ALL ${support}/main.cpp)
  target_precompile_headers(precompiled PRIVATE ${support}/precompiled.h)
  lodestar_test_options(precompiled)
  target_link_libraries(precompiled PRIVATE lodestar_options GTest::gtest nlohmann_json::nlohmann_json Threads::Threads)
endfunction()

function(lodestar_test_options target)
  # They check behaviour, not speed. -O3 would compile for half as long again; with -O0 the tests as a whole
  # take longer.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # At -O1 gcc 12 sees copies beyond the end in "text" + string, where there are none (gcc bug 105651).
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

function(lodestar_test_program name)
  if(NOT TARGET precompiled)
    lodestar_precompile()
  endif()
  add_executable(${name} ${arg_SOURCES_HERE})
  target_include_directories(${name} PRIVATE ${arg_INCLUDES})
  target_include_directories(${name} SYSTEM PRIVATE ${arg_SYSTEM_INCLUDES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} lodestar_options test_main)
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 10)
  lodestar_test_options(${name})
  if(NOT arg_SYSTEM_INCLUDES)  # torch sets a macro that changes the standard library's headers
    target_precompile_headers(${name} REUSE_FROM precompiled)
  endif()
  target_compile_definitions(${name} PRIVATE
    LODESTAR_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LODESTAR_BINARY="$<TARGET_FILE:lodestar_cli>")
  foreach(source ${arg_SOURCES_HERE})
    get_filename_component(test ${source} NAME_WE)
    add_test(NAME ${test} COMMAND ${name} ${test})
    file(STRINGS ${source} speaks_of_threads REGEX "[Tt]hread" LIMIT_COUNT 1)
    file(STRINGS ${source} runs_program REGEX "run_program|LODESTAR_BINARY" LIMIT_COUNT 1)
    if(speaks_of_threads)
      set_property(TEST ${test} APPEND PROPERTY LABELS threads)
    endif()
    if(runs_program)
      set_property(TEST ${test} APPEND PROPERTY LABELS program)
    else()
      add_dependencies(library_tests ${name})
    endif()
    if(arg_ENVIRONMENT)
      set_tests_properties(${test} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
    endif()
  endforeach()
endfunction()

function(lodestar_add_tests program)
  cmake_parse_arguments(arg "" "ENVIRONMENT" "SOURCES;LIBRARIES;INCLUDES;SYSTEM_INCLUDES" ${ARGN})
  set(together)
  foreach(source ${arg_SOURCES})
    file(STRINGS ${source} replaces_new REGEX "operator new" LIMIT_COUNT 1)
    if(replaces_new)
      get_filename_component(alone ${source} NAME_WE)
      set(arg_SOURCES_HERE ${source})
      lodestar_test_program(${alone})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  set(arg_SOURCES_HERE ${together})
  lodestar_test_program(${program})
endfunction()
