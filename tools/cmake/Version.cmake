# version.cpp is regenerated on every build, so a report never carries a stale commit.
set(version_source ${CMAKE_CURRENT_BINARY_DIR}/generated/version.cpp)
add_custom_target(lodestar_version_stamp
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUT=${version_source}
    -DCOMPILER=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/tools/cmake/WriteVersion.cmake
  BYPRODUCTS ${version_source} COMMENT "")
