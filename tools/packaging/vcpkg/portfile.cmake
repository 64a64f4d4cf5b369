# vcpkg install lodestar --overlay-ports=tools/packaging/vcpkg builds from this very clone.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  osm LODESTAR_OSM
  tools LODESTAR_PROGRAM)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${features}
  -DLODESTAR_SHARED=${shared} -DLODESTAR_TESTS=OFF -DLODESTAR_BENCH=OFF -DLODESTAR_TORCH=OFF
  -DLODESTAR_PYTHON=OFF -DLODESTAR_MPI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME lodestar CONFIG_PATH lib/cmake/lodestar)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES lodestar AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
