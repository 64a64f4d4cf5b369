// Prepares the competitors that bench/harness/methods.cpp lists. docs/design/COMPETITORS.md
// describes each of them.
#pragma once

#include <optional>

#include "bench/harness/method.h"

namespace lodestar::bench {

std::optional<ReadyMethod> prepare_cuts(Workshop& workshop);
std::optional<ReadyMethod> prepare_cch(Workshop& workshop);  // where separators are small
std::optional<ReadyMethod> prepare_ch_potentials(Workshop& workshop);
std::optional<ReadyMethod> prepare_ch(Workshop& workshop);
std::optional<ReadyMethod> prepare_core_alt(Workshop& workshop);
std::optional<ReadyMethod> prepare_core_learned(Workshop& workshop);
std::optional<ReadyMethod> prepare_core(Workshop& workshop);
std::optional<ReadyMethod> prepare_labels(Workshop& workshop);  // whole numbers, decimals

}  // namespace lodestar::bench
