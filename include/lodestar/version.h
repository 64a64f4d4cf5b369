// The version of this build, which every report includes.
#pragma once

namespace lodestar {

extern const char* const kVersion;   // "0.1.0"
extern const char* const kCommit;    // short hash, with "+" if the tree had changes
extern const char* const kCompiler;  // "GNU-12.2.0"

}  // namespace lodestar
