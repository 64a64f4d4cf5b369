# liblodestar.so, from the objects of the static libraries: core and import of OpenStreetMap in one, since
# they share what is hidden. Programs of this project keep to the static ones, for the same reason.
add_library(lodestar_shared SHARED $<TARGET_OBJECTS:lodestar>)
target_compile_features(lodestar_shared PUBLIC cxx_std_20)
target_include_directories(lodestar_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(lodestar_shared PRIVATE ZLIB::ZLIB LibLZMA::LibLZMA pugixml::pugixml
  PUBLIC Threads::Threads)
if(TARGET lodestar_osm)
  target_sources(lodestar_shared PRIVATE $<TARGET_OBJECTS:lodestar_osm>)
  target_link_libraries(lodestar_shared PRIVATE BZip2::BZip2 EXPAT::EXPAT)
endif()
# Below 1.0 a new minor version may break what was linked before, so it is part of the name.
set(LODESTAR_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(LODESTAR_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
# What the standard library's templates leave in the objects is nobody's interface.
set(symbols ${CMAKE_CURRENT_SOURCE_DIR}/lodestar.map)
set_target_properties(lodestar_shared PROPERTIES OUTPUT_NAME lodestar EXPORT_NAME shared
  VERSION ${PROJECT_VERSION} SOVERSION ${LODESTAR_SOVERSION} LINK_DEPENDS ${symbols}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_options(lodestar_shared PRIVATE -Wl,--version-script=${symbols} -Wl,-z,defs)
install(TARGETS lodestar_shared EXPORT lodestarTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared
  NAMELINK_COMPONENT development)
