# `cpack` in a build folder of the preset "package": Debian packages, one a component.
set(LODESTAR_MAINTAINER "The Lodestar authors <lodestar@example.org>" CACHE STRING
  "Who answers for the Debian packages")
set(LODESTAR_DEBIAN_REVISION 1 CACHE STRING "Revision of the Debian packages")
set(deb_version ${PROJECT_VERSION}-${LODESTAR_DEBIAN_REVISION})

# The same commit, the same bytes: packages are dated by it.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(epoch $ENV{SOURCE_DATE_EPOCH})
else()
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE epoch
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(epoch)
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
string(TIMESTAMP deb_date "%a, %d %b %Y %H:%M:%S +0000" UTC)

# package_of(component name section "depends" "summary" "description"): also its copyright and changelogs,
# which every Debian package has; a prefix other than /usr is somebody's own folder and gets none.
set(CPACK_COMPONENTS_ALL "")
function(package_of component name section depends summary text)
  string(TOUPPER ${component} key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR NOT LODESTAR_GZIP)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/doc/${name})
  configure_file(debian/copyright.in ${folder}/copyright @ONLY)
  configure_file(debian/changelog.in ${folder}/changelog.Debian @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog COPYONLY)
  execute_process(COMMAND ${LODESTAR_GZIP} -9nf ${folder}/changelog.Debian ${folder}/changelog)
  install(FILES ${folder}/copyright ${folder}/changelog.Debian.gz ${folder}/changelog.gz
    DESTINATION share/doc/${name} COMPONENT ${component})
endfunction()

set(what "Lodestar learns potentials for a graph and its queries. Every answer
of a search with them is exact and carries its proof.")
if(TARGET lodestar_cli)
  package_of(runtime lodestar science "" "shortest paths with learned heuristics, and their proof"
"${what}
.
This package has the program: it converts graphs, learns them, answers
questions at the shell or over HTTP, and shows searches in a browser. It needs
no torch.")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS
    "gnuplot-nox, lodestar-learn, lodestar-mpi, python3-lodestar")
endif()
set(dev_depends "zlib1g-dev, liblzma-dev, libpugixml-dev")
if(TARGET lodestar_osm)
  string(APPEND dev_depends ", libbz2-dev, libexpat1-dev")
endif()
if(TARGET lodestar_shared)
  set(library liblodestar${LODESTAR_SOVERSION})
  string(APPEND dev_depends ", ${library} (= ${deb_version})")
  package_of(shared ${library} libs "" "shortest paths with learned heuristics - shared library"
"${what}
.
This package has the shared library.")
  set(CPACK_DEBIAN_SHARED_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_SHARED_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
endif()
package_of(development liblodestar-dev libdevel "${dev_depends}"
  "shortest paths with learned heuristics - development files"
"${what}
.
This package has headers and libraries for programs in C++20, and files for
find_package of CMake and for pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
if(LODESTAR_HAS_GEOS)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libgeos-dev")  # for lodestar::isochrone
endif()
if(TARGET lodestar_learn_cli)
  package_of(training lodestar-learn science "lodestar (= ${deb_version})"
    "shortest paths with learned heuristics - training"
"${what}
.
This package has what trains and tunes networks for whole families of graphs.
It needs torch.")
  set(CPACK_DEBIAN_TRAINING_PACKAGE_RECOMMENDS "libopenblas0-openmp")
endif()
if(TARGET lodestar_mpi_cli)
  package_of(mpi lodestar-mpi science "lodestar (= ${deb_version})"
    "shortest paths with learned heuristics - with MPI"
"${what}
.
This package lets the processes of mpirun share a matrix of distances.")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
endif()
if(TARGET lodestar_python AND NOT LODESTAR_PYTHON_OUTPUT)
  # The module is for one version of the interpreter.
  find_package(Python COMPONENTS Interpreter QUIET)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  package_of(python python3-lodestar python
    "python3 (>= 3.${Python_VERSION_MINOR}~), python3 (<< 3.${next}), python3-numpy"
    "shortest paths with learned heuristics - Python package"
"${what}
.
This package is for Python: graphs from arrays, scipy, networkx and igraph.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-networkx, python3-scipy, python3-igraph")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own first line
set(CPACK_PACKAGE_NAME lodestar)
set(CPACK_PACKAGE_VENDOR "The Lodestar authors")
set(CPACK_PACKAGE_CONTACT "${LODESTAR_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${LODESTAR_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE ${LODESTAR_DEBIAN_REVISION})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_THREADS 1)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
  GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
if(NOT TARGET package)
  include(CPack)
endif()
