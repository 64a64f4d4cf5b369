// The report as one HTML page: no other file, no script, nothing from the network.
#pragma once

#include <string>
#include <vector>

#include "figures.h"
#include "report.h"

namespace lodestar::cli {

// Figures are read from the folder they were drawn into.
std::string page_html(const Report& report, const std::vector<DrawnFigure>& figures,
                      const std::string& folder);

}  // namespace lodestar::cli
