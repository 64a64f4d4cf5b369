// What the rows show about the paper's table: a mark per value, and claims with the cells that
// fail them.
//
//   const Mark mark = compare(row.distance, cell.distance, Better::kLower);
//   for (const Claim& claim : check_claims(rows)) tell(claim.text, claim.passed(), claim.failures);
//
// "Within the noise" means: closer than two standard errors, ours (of graphs and models together)
// and the paper's, and half of the last digit the paper prints.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/published.h"
#include "learn/evaluate/row.h"

namespace lodestar::evaluate {

enum class Mark : std::uint8_t { kBetter, kWithinNoise, kWorse };
enum class Better : std::uint8_t { kLower, kHigher };

Mark compare(const bench::Estimate& ours, const PublishedValue& paper, Better better);
// Iterations as a share of Dijkstra's: the one fair comparison, since graphs differ.
PublishedValue published_ratio(const PublishedCell& cell);

struct Claim {
  std::string text;       // "Preset deep, directed graphs: fewer iterations than the paper"
  std::string subject;    // "Preset deep"
  std::string statement;  // "fewer iterations than the paper"
  Draw draw = Draw::kOr;
  bool made = true;  // false: a question whose answer is shown; nothing is promised about it
  std::size_t cells = 0;
  std::vector<std::string> failures;  // "dense, 96 nodes: 10.9 %, the paper 10.75 %"

  std::size_t passed() const { return cells - failures.size(); }
  bool holds() const { return cells > 0 && failures.empty(); }
};

// The rows must be those of one search; claims without a row to check are left out. `given` names
// rows of the user's own models and programs: the same questions are asked of them as of `paper`.
std::vector<Claim> check_claims(const std::vector<Row>& rows,
                                const std::vector<std::string>& given = {});

// Whether everything that is claimed holds.
bool all_made_hold(const std::vector<Claim>& claims);

const Row* find_row(const std::vector<Row>& rows, const std::string& method, Draw draw,
                    Density density, NodeId nodes);

// What the rows say, in sentences written from the numbers.
// The result in at most three sentences: the paper's system, the deep model, the time.
std::vector<std::string> conclusion(const std::vector<Row>& rows);

// "All 21 claims hold in all cells. 14 of 22 open comparisons are lost."
std::string claims_summary(const std::vector<Claim>& claims);

// The same at length, preset by preset and density by density. `given` names rows of the user's own
// models and programs.
std::vector<std::string> findings(const std::vector<Row>& rows,
                                  const std::vector<std::string>& given = {});

}  // namespace lodestar::evaluate
