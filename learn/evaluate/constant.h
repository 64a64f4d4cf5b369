// The baseline "y(t) = c, 0 elsewhere", with c chosen as the scale of a model is.
#pragma once

#include <cstdint>

namespace lodestar::paper {

// The constant c for which "y(t) = c, 0 elsewhere" comes out best against the published table, on
// validation graphs of the sizes it has: the most cells no worse, then the widest margin. `count`
// graphs of each.
double choose_constant(std::uint32_t count, unsigned threads);

}  // namespace lodestar::paper
