# Compiler settings every target of the project shares, as one interface target.
add_library(lodestar_options INTERFACE)

# Contraction to fused multiply-add would make results depend on -march.
target_compile_options(lodestar_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough -Wextra-semi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 sees overlapping copies in "text" + string, where there are none (gcc bug 105329).
  target_compile_options(lodestar_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Several sources compiled as one: what is unnamed in a source looks unnamed in a header.
  target_compile_options(lodestar_options INTERFACE -Wno-subobject-linkage)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # … and a local name may equal one of another source. Builds without unity check for shadowing.
  target_compile_options(lodestar_options INTERFACE -Wno-shadow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
  # It sees that stable_sort of libstdc++ 12 uses something deprecated. gcc tells of our own uses.
  target_compile_options(lodestar_options INTERFACE -Wno-deprecated-declarations)
endif()
if(LODESTAR_WERROR)
  target_compile_options(lodestar_options INTERFACE -Werror)
endif()
if(LODESTAR_NATIVE)
  target_compile_options(lodestar_options INTERFACE -march=native)
endif()
if(LODESTAR_SANITIZE)
  # What sanitizers add to the code makes gcc 12 see uninitialised members in the standard library.
  target_compile_options(lodestar_options INTERFACE -Wno-maybe-uninitialized)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(LODESTAR_SANITIZE_THREADS)
  target_compile_options(lodestar_options INTERFACE -Wno-maybe-uninitialized)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
if(LODESTAR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-O3)
endif()

find_program(LODESTAR_CCACHE ccache)
if(LODESTAR_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${LODESTAR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LODESTAR_CCACHE})
endif()
find_program(LODESTAR_MOLD mold)
if(LODESTAR_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
