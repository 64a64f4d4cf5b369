// Numbers and names as the report's tables write them.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/verdict.h"
#include "report.h"

namespace lodestar::cli {

inline constexpr Density kDensities[] = {Density::kSparse, Density::kDense, Density::kVeryDense};

std::string density_words(Density density);  // "dense (p = 0.35)"
std::string draw_name(Draw draw);            // "undirected", "each edge once", "directed"
std::string value(const bench::Estimate& ours, int digits, std::size_t trials);  // "1.25±0.03"
// "1.25±0.03 (1.31) ✓"
std::string against(const bench::Estimate& ours, const PublishedValue& paper,
                    evaluate::Better better, int digits, std::size_t trials);
// ✓ better than published, ≈ within the noise, ✗ worse; lower is better.
const char* mark(const bench::Estimate& ours, const PublishedValue& paper);
std::string factor(double value);  // "2.31", "0.0042"
std::string baseline_name(const Report& report, const std::string& name);
// Sizes of the paper's table that were run with this draw.
std::vector<NodeId> published_sizes(const Report& report, Draw draw);

}  // namespace lodestar::cli
