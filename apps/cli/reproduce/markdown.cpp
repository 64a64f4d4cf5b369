#include <fmt/core.h>

#include "learn/evaluate/verdict.h"
#include "lodestar/version.h"
#include "progress.h"
#include "report.h"

namespace lodestar::cli {
namespace {

std::string claim_line(const evaluate::Claim& claim) {
  return fmt::format("{} {}{}: {} of {} cells", claim.holds() ? "✓" : "✗",
                     claim.made ? "" : "(open) ", claim.text, claim.passed(), claim.cells);
}

}  // namespace

std::string provenance(const Report& report) {
  return fmt::format("lodestar {}, commit {}, {}; `{}`; search {}; {}, {} threads, {}", kVersion,
                     kCommit, kCompiler, report.command, report.search, report.machine,
                     report.threads, format_seconds(report.seconds));
}

std::string terminal_text(const Report& report) {
  std::string out;
  const std::vector<Draw> draws = draws_of(report);
  if (!draws.empty()) {
    out += fmt::format("Table 1, published and ours, {}\n", draw_words(draws.front()));
    out += in_lines(short_legend(report), 100) + "\n\n";
    for (const Section& section : result_sections(report, draws.front())) {
      out += section.title + "\n" + section.table.text() + "\n";
    }
  }
  for (const std::string& sentence : evaluate::conclusion(report.rows))
    out += in_lines(sentence, 100) + "\n";
  if (!report.claims.empty()) {
    out += "\n" + evaluate::claims_summary(report.claims) + "\n\n" + claims_table(report).text();
  }
  return out;
}

std::string summary_text(const Report& report) {
  std::string out;
  for (const Draw draw : draws_of(report)) {
    const Section section = summary_section(report, draw);
    out += section.title + ":\n\n" + section.table.markdown() + "\n";
  }
  for (const evaluate::Claim& claim : report.claims) out += "- " + claim_line(claim) + "\n";
  return out + "\n" + provenance(report) + "\n";
}

std::string markdown_text(const Report& report) {
  std::string out = "# Learning heuristics for A*: published and reproduced\n";
  const std::vector<Draw> draws = draws_of(report);
  if (!draws.empty()) {
    out += fmt::format("\n## Result, {}\n\n{}\n", draw_words(draws.front()), short_legend(report));
    for (const Section& section : result_sections(report, draws.front())) {
      out += "\n" + section.title + ":\n\n" + section.table.markdown();
    }
  }
  out += "\n## Conclusion\n\n";
  for (const std::string& sentence : evaluate::conclusion(report.rows)) out += sentence + "\n\n";
  out += "## Claims\n\n" + evaluate::claims_summary(report.claims) + "\n\n";
  for (const evaluate::Claim& claim : report.claims) {
    out += "- " + claim_line(claim) + "\n";
    for (const std::string& failure : claim.failures) out += "  - " + failure + "\n";
  }
  out += "\n## Findings\n";
  for (const std::string& sentence : evaluate::findings(report.rows, report.given))
    out += "\n" + sentence + "\n";
  for (const Draw draw : draws_of(report)) {
    out += fmt::format("\n## Table 1, {}\n\n{}\n", draw_words(draw), legend(report));
    for (const Section& section : paper_sections(report, draw)) {
      out += "\n" + section.table.markdown();
    }
  }
  for (const Section& section : pruning_sections(report)) {
    out += "\n## " + section.title + "\n\n" + section.table.markdown();
  }
  for (const Section& section : large_sections(report)) {
    out += "\n## " + section.title + "\n\n" + section.table.markdown();
  }
  for (const Draw draw : draws_of(report)) {
    out += fmt::format("\n## Beyond the table, {}\n", draw_words(draw));
    for (const Section& section : further_sections(report, draw)) {
      out += "\n" + section.table.markdown();
    }
  }
  return out + "\n" + provenance(report) + "\n";
}

}  // namespace lodestar::cli
