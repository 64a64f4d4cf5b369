// How the rivals are prepared, for the list in bench/harness/methods.cpp;
// docs/design/COMPETITORS.md says what each is.
#pragma once

#include <optional>

#include "bench/harness/method.h"

namespace lodestar::eval {

std::optional<ReadyMethod> prepare_cuts(Workshop& workshop);
std::optional<ReadyMethod> prepare_cch(Workshop& workshop);  // where separators are small
std::optional<ReadyMethod> prepare_ch_potentials(Workshop& workshop);
std::optional<ReadyMethod> prepare_ch(Workshop& workshop);
std::optional<ReadyMethod> prepare_core_alt(Workshop& workshop);
std::optional<ReadyMethod> prepare_core_learned(Workshop& workshop);
std::optional<ReadyMethod> prepare_core(Workshop& workshop);
std::optional<ReadyMethod> prepare_labels(Workshop& workshop);  // whole numbers, decimals

}  // namespace lodestar::eval
