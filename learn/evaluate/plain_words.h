// What the rows say, in sentences written from the numbers.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/verdict.h"

namespace lodestar::paper {

// The first sentence is the verdict as a whole, the others what a reader should know beside it.
std::vector<std::string> plain_words(const std::vector<Row>& rows,
                                     const std::vector<Claim>& claims);

}  // namespace lodestar::paper
