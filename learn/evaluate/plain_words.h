// What the rows say, in sentences written from the numbers.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/verdict.h"

namespace lodestar::evaluate {

// The result in at most three sentences: the paper's system, the deep model, the time.
std::vector<std::string> conclusion(const std::vector<Row>& rows);

// "All 21 claims hold in all cells. 14 of 22 open comparisons are lost."
std::string claims_summary(const std::vector<Claim>& claims);

// The same at length, preset by preset and density by density. `given` names rows of the user's own
// models and programs.
std::vector<std::string> findings(const std::vector<Row>& rows,
                                  const std::vector<std::string>& given = {});

}  // namespace lodestar::evaluate
