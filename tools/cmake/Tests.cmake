# lodestar_add_tests(SOURCES … LIBRARIES … [INCLUDES …] [SYSTEM_INCLUDES …] [ENVIRONMENT …])
# Each source becomes a GoogleTest program of its own, which ctest runs whole. It is told where the
# program under test and the sources are. One whose source speaks of threads gets the label
# "threads" and belongs to the target thread_tests, which .ci/run checks with ThreadSanitizer. One
# that runs the program gets the label "program"; the others belong to the target library_tests, which
# .ci/run checks with the other sanitizers without building the program.
add_custom_target(thread_tests)
add_custom_target(library_tests)

# GoogleTest, JSON and the standard library are compiled once for all tests. That needs the flags of a
# test, so it belongs to a program that is made like one.
function(lodestar_precompile)
  find_package(GTest REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(Threads REQUIRED)
  set(support ${PROJECT_SOURCE_DIR}/tests/support)
  add_executable(precompiled EXCLUDE_FROM_ALL ${support}/precompiled.cpp)
  target_precompile_headers(precompiled PRIVATE ${support}/precompiled.h)
  target_compile_options(precompiled PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(precompiled PRIVATE lodestar_options GTest::gtest nlohmann_json::nlohmann_json Threads::Threads)
endfunction()

function(lodestar_add_tests)
  cmake_parse_arguments(arg "" "ENVIRONMENT" "SOURCES;LIBRARIES;INCLUDES;SYSTEM_INCLUDES" ${ARGN})
  if(NOT TARGET precompiled)
    lodestar_precompile()
  endif()
  foreach(source ${arg_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${arg_INCLUDES})
    target_include_directories(${name} SYSTEM PRIVATE ${arg_SYSTEM_INCLUDES})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} lodestar_options GTest::gtest_main)
    # They check behaviour, not speed. -O3 would compile for half as long again; with -O0 the tests as a whole
    # take longer.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(NOT arg_SYSTEM_INCLUDES)  # torch sets a macro that changes the standard library's headers
      target_precompile_headers(${name} REUSE_FROM precompiled)
    endif()
    target_compile_definitions(${name} PRIVATE
      LODESTAR_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LODESTAR_BINARY="$<TARGET_FILE:lodestar_cli>")
    add_test(NAME ${name} COMMAND ${name})
    file(STRINGS ${source} speaks_of_threads REGEX "[Tt]hread" LIMIT_COUNT 1)
    file(STRINGS ${source} runs_program REGEX "run_program|LODESTAR_BINARY" LIMIT_COUNT 1)
    if(speaks_of_threads)
      set_property(TEST ${name} APPEND PROPERTY LABELS threads)
      add_dependencies(thread_tests ${name} lodestar_cli)
    endif()
    if(runs_program)
      set_property(TEST ${name} APPEND PROPERTY LABELS program)
    else()
      add_dependencies(library_tests ${name})
    endif()
    if(arg_ENVIRONMENT)
      set_tests_properties(${name} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
    endif()
  endforeach()
endfunction()
