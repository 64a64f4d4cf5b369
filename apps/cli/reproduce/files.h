// The report as files for machines: results.csv (counts, the same in every run of one build),
// times.csv, and results.jsonl with everything and where it comes from.
#pragma once

#include <string>

#include "report.h"

namespace lodestar::cli {

void write_results(const Report& report, const std::string& folder);

// A whole file at once.
void write_file(const std::string& folder, const std::string& name, const std::string& text);

}  // namespace lodestar::cli
