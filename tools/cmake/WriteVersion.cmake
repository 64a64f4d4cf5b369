# Writes OUT only when its content changes, so nothing is rebuilt for nothing.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  # In a release's tarball git has written it into this file.
  set(commit "unknown")
  file(STRINGS ${SOURCE}/tools/cmake/commit.txt archived LIMIT_COUNT 1)
  if(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${archived} 0 12 commit)
  endif()
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit "+")
  endif()
endif()
set(text "#include \"lodestar/version.h\"

namespace lodestar {
const char* const kVersion = \"${VERSION}\";
const char* const kCommit = \"${commit}\";
const char* const kCompiler = \"${COMPILER}\";
}  // namespace lodestar
")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUT} "${text}")
endif()
