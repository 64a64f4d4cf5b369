# LODESTAR_HEADERS: the folder of the public headers, include/. For a shared library it is a copy in
# which what they declare is visible; everything else of the library is hidden. So a new header
# is exported automatically.
set(LODESTAR_HEADERS ${PROJECT_SOURCE_DIR}/include)
if(LODESTAR_SHARED)
  set(LODESTAR_HEADERS ${PROJECT_BINARY_DIR}/exported)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/*.h)
  foreach(header ${headers})
    set(from ${PROJECT_SOURCE_DIR}/include/${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
    file(READ ${from} text)
    # A pragma and not an attribute of the namespace: clang does not hand that on to those within.
    string(REGEX REPLACE "\n(namespace lodestar(::detail)? {)\n"
      "\n#pragma GCC visibility push(default)\n\\1\n" text "${text}")
    string(REGEX REPLACE "\n(}  // namespace lodestar(::detail)?)\n"
      "\n\\1\n#pragma GCC visibility pop\n" text "${text}")
    file(WRITE ${PROJECT_BINARY_DIR}/exported.new "${text}")
    get_filename_component(folder ${LODESTAR_HEADERS}/${header} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(COPY_FILE ${PROJECT_BINARY_DIR}/exported.new ${LODESTAR_HEADERS}/${header} ONLY_IF_DIFFERENT)
  endforeach()
endif()
