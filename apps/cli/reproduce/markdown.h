// The report as text: the terminal's short form, and report.md.
#pragma once

#include <string>

#include "report.h"

namespace lodestar::cli {

std::string terminal_text(const Report& report);
std::string markdown_text(const Report& report);
// summary.md: the table in short, for a README.
std::string summary_text(const Report& report);
// "lodestar 0.1.0, commit …": one line on where the numbers come from.
std::string provenance(const Report& report);

}  // namespace lodestar::cli
