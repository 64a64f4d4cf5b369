# lodestar_add_tests(SOURCES … LIBRARIES … [INCLUDES …] [SYSTEM_INCLUDES …] [ENVIRONMENT …])
# Each source becomes a GoogleTest program of its own, which ctest runs whole. It is told where the
# program under test and the sources are. One whose source speaks of threads gets the label
# "threads" and belongs to the target thread_tests, which .ci/run checks with ThreadSanitizer. One
# that runs the program gets the label "program"; the others belong to the target library_tests, which
# .ci/run checks with the other sanitizers without building the program.
add_custom_target(thread_tests)
add_custom_target(library_tests)
function(lodestar_add_tests)
  cmake_parse_arguments(arg "" "ENVIRONMENT" "SOURCES;LIBRARIES;INCLUDES;SYSTEM_INCLUDES" ${ARGN})
  find_package(GTest REQUIRED)
  foreach(source ${arg_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${arg_INCLUDES})
    target_include_directories(${name} SYSTEM PRIVATE ${arg_SYSTEM_INCLUDES})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} lodestar_options GTest::gtest_main)
    # They check behaviour, not speed, and compile in two thirds of the time.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
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
