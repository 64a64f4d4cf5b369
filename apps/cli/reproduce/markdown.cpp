#include "markdown.h"

#include <fmt/core.h>

#include "learn/evaluate/plain_words.h"
#include "lodestar/version.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

std::string claim_line(const evaluate::Claim& claim) {
  return fmt::format("{} {}{}: {} of {} cells", claim.holds() ? "✓" : "✗",
                     claim.made ? "" : "(asked, not claimed) ", claim.text, claim.passed(),
                     claim.cells);
}

// Lines of at most 100 columns.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string out, line = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() + end - begin > 100) {
      out += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += " ";
    line += text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + line + "\n";
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
    out += fmt::format("Table 1 of the paper beside ours, {}\n", draw_words(draws.front()));
    out += wrapped(legend(report), "") + "\n";
    for (const Section& section : paper_sections(report, draws.front())) {
      out += section.table.text() + "\n";
    }
  }
  for (const Section& section : large_sections(report)) {
    out += section.title + "\n" + section.table.text() + "\n";
  }
  for (const evaluate::Claim& claim : report.claims) {
    out += claim_line(claim) + "\n";
    for (const std::string& failure : claim.failures) out += "    " + failure + "\n";
  }
  out += "\n";
  for (const std::string& sentence :
       evaluate::plain_words(report.rows, report.claims, report.given)) {
    out += wrapped(sentence, "");
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
  std::string out = "# The paper's evaluation, run again\n\n" + provenance(report) + "\n\n";
  for (const std::string& sentence :
       evaluate::plain_words(report.rows, report.claims, report.given)) {
    out += sentence + "\n\n";
  }
  out += "## Claims\n\n";
  for (const evaluate::Claim& claim : report.claims) {
    out += "- " + claim_line(claim) + "\n";
    for (const std::string& failure : claim.failures) out += "  - " + failure + "\n";
  }
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
  return out;
}

}  // namespace lodestar::cli
