# liblodestar.so, from the objects of the static libraries: core, isochrones and import of OpenStreetMap in one, since
# they share what is hidden. Programs of this project keep to the static ones, for the same reason.
foreach(package ZLIB LibLZMA pugixml Threads)  # found in src/, for that folder
  find_package(${package} REQUIRED)
endforeach()
add_library(lodestar_shared SHARED $<TARGET_OBJECTS:lodestar>)
target_compile_features(lodestar_shared PUBLIC cxx_std_20)
target_include_directories(lodestar_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(lodestar_shared PRIVATE ZLIB::ZLIB LibLZMA::LibLZMA pugixml::pugixml
  PUBLIC Threads::Threads)
target_sources(lodestar_shared PRIVATE $<TARGET_OBJECTS:lodestar_isochrone>)
if(LODESTAR_HAS_GEOS)
  target_link_libraries(lodestar_shared PRIVATE geos_c)
endif()
if(TARGET lodestar_osm)
  target_sources(lodestar_shared PRIVATE $<TARGET_OBJECTS:lodestar_osm>)
  target_link_libraries(lodestar_shared PRIVATE BZip2::BZip2 EXPAT::EXPAT)
endif()
# Below 1.0 a new minor version may break what was linked before, so it is part of the name.
set(LODESTAR_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(LODESTAR_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
# Symbols that the standard library's templates leave in the objects are not exported.
set(symbols ${CMAKE_CURRENT_SOURCE_DIR}/lodestar.map)
set_target_properties(lodestar_shared PROPERTIES OUTPUT_NAME lodestar EXPORT_NAME shared
  VERSION ${PROJECT_VERSION} SOVERSION ${LODESTAR_SOVERSION} LINK_DEPENDS ${symbols}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_options(lodestar_shared PRIVATE -Wl,--version-script=${symbols} -Wl,-z,defs)
install(TARGETS lodestar_shared EXPORT lodestarTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared
  NAMELINK_COMPONENT development)

# Tests that know the public headers alone, against the shared library: what it does not show does not link.
if(LODESTAR_TESTS)
  set(shared_tests router/router potentials/fit search/search places/places network/infer formats/graph_io)
  find_package(GTest REQUIRED)
  find_package(nlohmann_json REQUIRED)
  add_executable(shared_test)
  set_target_properties(shared_test PROPERTIES UNITY_BUILD OFF)  # tests know nothing of each other
  foreach(name ${shared_tests})
    target_sources(shared_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/${name}_test.cpp)
  endforeach()
  target_include_directories(shared_test PRIVATE ${LODESTAR_HEADERS} ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_definitions(shared_test PRIVATE LODESTAR_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    LODESTAR_BINARY="$<TARGET_FILE:lodestar_cli>")
  target_compile_options(shared_test PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(shared_test PRIVATE lodestar_shared lodestar_options GTest::gtest_main
    nlohmann_json::nlohmann_json)
  add_test(NAME shared_test COMMAND shared_test)
endif()
