// `reproduce --planning`: the benchmark of learned planners, on maps that the user gives.
#pragma once

#include "plan.h"

namespace lodestar::cli {

// Writes planning.md, planning.csv and planning.html to the folder of results and prints the table.
int run_planning_benchmark(const ReproduceOptions& options);

}  // namespace lodestar::cli
