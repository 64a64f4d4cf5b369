// What the rows say, in sentences written from the numbers.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/verdict.h"

namespace lodestar::evaluate {

// The first sentence is the verdict as a whole, the others what a reader should know beside it.
// `given` names rows of the user's own models and programs.
std::vector<std::string> plain_words(const std::vector<Row>& rows, const std::vector<Claim>& claims,
                                     const std::vector<std::string>& given = {});

}  // namespace lodestar::evaluate
