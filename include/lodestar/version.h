// Which build this is: every report carries these, so a number can be traced to its code.
#pragma once

namespace lodestar {

extern const char* const kVersion;   // "0.1.0"
extern const char* const kCommit;    // short hash, with "+" when the tree had changes
extern const char* const kCompiler;  // "GNU-12.2.0"

}  // namespace lodestar
