# The Python package as Debian's interpreter finds it: sources, module, and the metadata that pip and
# NetworkX look for. Everybody else installs the wheel.
if(NOT TARGET lodestar_python OR LODESTAR_PYTHON_OUTPUT)
  return()
endif()
set(LODESTAR_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Folder of Python packages, below the prefix")
file(GLOB modules ${PROJECT_SOURCE_DIR}/apps/python/lodestar/*.py ${PROJECT_SOURCE_DIR}/apps/python/lodestar/*.pyi
  ${PROJECT_SOURCE_DIR}/apps/python/lodestar/py.typed)
install(FILES ${modules} DESTINATION ${LODESTAR_PYTHON_DIR}/lodestar COMPONENT python)
install(TARGETS lodestar_python LIBRARY DESTINATION ${LODESTAR_PYTHON_DIR}/lodestar COMPONENT python)
find_package(Python COMPONENTS Interpreter QUIET)
set(metadata ${CMAKE_CURRENT_BINARY_DIR}/python)
install(CODE "
  file(REMOVE_RECURSE ${metadata})
  file(MAKE_DIRECTORY ${metadata})
  execute_process(COMMAND ${Python_EXECUTABLE} setup.py -q egg_info --egg-base ${metadata}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ERROR_QUIET OUTPUT_QUIET RESULT_VARIABLE failed)
  if(failed)
    message(WARNING \"no setuptools: the Python package is installed without metadata\")
  endif()
  file(REMOVE ${metadata}/lodestar.egg-info/SOURCES.txt)" COMPONENT python)
install(DIRECTORY ${metadata}/lodestar.egg-info/
  DESTINATION ${LODESTAR_PYTHON_DIR}/lodestar-${PROJECT_VERSION}.egg-info COMPONENT python OPTIONAL)
