
#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "learn/evaluate/verdict.h"
#include "report.h"

namespace lodestar::cli {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Learning heuristics for A*: published and reproduced</title>
<style>
:root { color-scheme: light dark; --ink: #16202c; --soft: #5b6876; --line: #dfe5ec; --page: #fff; --band: #f3f6fa;
  --accent: #0b62a8; --better: #08764f; --noise: #6c7783; --worse: #c2410c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --soft: #9aa7b5; --line: #2c3642; --page: #12171d; --band: #1b222b;
    --accent: #6cb6f5; --better: #4cc38a; --noise: #93a0ad; --worse: #ff9466; }
  figure img { filter: invert(.93) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 82rem;
  margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .2rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
.small { color: var(--soft); font-size: .88rem; margin: .3rem 0 1rem; overflow-wrap: anywhere; }
.conclusion { border-left: 4px solid var(--accent); background: var(--band); padding: .8rem 1.2rem; font-size: 1.1rem; }
.conclusion p { margin: .35rem 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 44rem), 1fr)); gap: 0 2.2rem; }
.pair table { width: 100%; font-size: .86rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; margin: .3rem 0; }
td, th { padding: .2rem .45rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; }
thead th { border-bottom: 2px solid var(--soft); white-space: normal; vertical-align: bottom; }
tbody th { background: var(--band); font-weight: 600; text-align: left; }
figure { margin: 1.2rem 0; } figure img { width: 100%; border-radius: 4px; }
figcaption { color: var(--soft); font-size: .88rem; }
.better { color: var(--better); font-weight: 700; } .noise { color: var(--noise); font-weight: 700; }
.worse { color: var(--worse); font-weight: 700; }
summary { cursor: pointer; font-weight: 600; margin: .8rem 0; color: var(--accent); }
.claims { font-size: .9rem; font-variant-numeric: tabular-nums; border-top: 2px solid var(--soft); }
.claim, .claims summary { display: grid; grid-template-columns: 1.4rem 1fr repeat(var(--kinds), 9.5rem); align-items: baseline;
  padding: .22rem .45rem; margin: 0; border-bottom: 1px solid var(--line); font-weight: 400; color: inherit; }
.claims summary:hover { background: var(--band); }
.claims summary span:nth-child(2)::after { content: " ▸"; color: var(--accent); }
.claims details[open] summary span:nth-child(2)::after { content: " ▾"; }
.claim span:nth-child(n+3), .claims summary span:nth-child(n+3) { text-align: right; }
.claim.head { font-weight: 600; background: var(--band); } .claims ul { color: var(--soft); margin: .3rem 0 .8rem 1rem; }
</style>
</head>
<body>
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string escaped(const std::string& text) {
  return replaced(replaced(text, "&", "&amp;"), "<", "&lt;");
}

// Marks in colour; the sign itself says the same.
std::string coloured(std::string html) {
  html = replaced(std::move(html), "✓", "<span class=\"better\">✓</span>");
  html = replaced(std::move(html), "≈", "<span class=\"noise\">≈</span>");
  return replaced(std::move(html), "✗", "<span class=\"worse\">✗</span>");
}

std::string base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
    }
  }
  return out;
}

std::string figure_html(const DrawnFigure& figure, const std::string& folder) {
  if (!figure.drawn) {
    return fmt::format(
        "<p class=\"small\">Figure {0} was not drawn: gnuplot is missing. Its data "
        "and script are {0}.dat and {0}.gp.</p>\n",
        figure.name);
  }
  std::ifstream in(std::filesystem::path(folder) / (figure.name + ".svg"), std::ios::binary);
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  return fmt::format(
      "<figure><img alt=\"{0}\" src=\"data:image/svg+xml;base64,{1}\"><figcaption>{0}</figcaption>"
      "</figure>\n",
      escaped(figure.caption), base64(svg));
}

std::string sections_html(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) {
    out += "<h3>" + escaped(section.title) + "</h3>\n<div class=\"scroll\">" +
           coloured(section.table.html()) + "</div>\n";
  }
  return out;
}

// Closed at first.
std::string folded(const std::string& title, const std::string& body) {
  if (body.empty()) return "";
  return "<details><summary>" + escaped(title) + "</summary>\n" + body + "</details>\n";
}

std::string paragraphs(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) out += "<p>" + escaped(sentence) + "</p>\n";
  return out;
}

// Table 1 in short, its two halves side by side.
std::string result_html(const Report& report, Draw draw) {
  std::string out = "<p class=\"small\">" + coloured(escaped(short_legend(report))) +
                    "</p>\n<div class=\"pair\">\n";
  for (const Section& section : result_sections(report, draw)) {
    out += "<div class=\"scroll\"><h3>" + escaped(section.title) + "</h3>\n" +
           coloured(section.table.html()) + "</div>\n";
  }
  return out + "</div>\n";
}

std::string claim_cells(const ClaimGroup& group, const std::vector<Draw>& draws) {
  std::string out = fmt::format("<span>{}</span><span>{}</span>",
                                coloured(group.holds() ? "✓" : "✗"), escaped(group.text));
  for (const Draw draw : draws) out += "<span>" + coloured(claim_cell(group, draw)) + "</span>";
  return out;
}

// One line a claim; a line that is lost somewhere opens on the cells.
std::string claims_html(const Report& report, const std::vector<Draw>& draws) {
  const std::vector<ClaimGroup> groups = claim_groups(report);
  if (groups.empty()) return "";
  std::string out =
      "<h2>Claims</h2>\n<p>" + escaped(evaluate::claims_summary(report.claims)) +
      " A lost line opens on the cells it is lost in.</p>\n" +
      fmt::format("<div class=\"claims scroll\" style=\"--kinds: {}\">\n", draws.size());
  const ClaimGroup* before = nullptr;
  for (const ClaimGroup& group : groups) {
    if (before == nullptr || before->made != group.made) {
      out += fmt::format("<div class=\"claim head\"><span></span><span>{}</span>",
                         group.made ? "Claims, and the cells they hold in"
                                    : "Open comparisons: shown, not claimed");
      for (const Draw draw : draws) out += "<span>" + escaped(draw_name(draw)) + "</span>";
      out += "</div>\n";
    }
    before = &group;
    if (group.holds()) {
      out += "<div class=\"claim\">" + claim_cells(group, draws) + "</div>\n";
      continue;
    }
    out += "<details><summary>" + claim_cells(group, draws) + "</summary><ul>\n";
    for (const evaluate::Claim* claim : group.claims) {
      for (const std::string& failure : claim->failures) {
        out += "<li>" + escaped(draw_words(claim->draw) + ", " + failure) + "</li>\n";
      }
    }
    out += "</ul></details>\n";
  }
  return out + "</div>\n";
}

// The tables of every draw, those after the first folded.
template <class Sections>
std::string for_draws(const Report& report, const std::vector<Draw>& draws, Sections&& sections) {
  std::string out;
  for (const Draw draw : draws) {
    const std::string tables = sections_html(sections(report, draw));
    out += draw == draws.front() ? tables : folded("The same on " + draw_words(draw), tables);
  }
  return out;
}

}  // namespace

std::string page_html(const Report& report, const std::vector<DrawnFigure>& figures,
                      const std::string& folder) {
  const std::vector<Draw> draws = draws_of(report);
  std::string out = kHead;
  out +=
      "<h1>Learning heuristics for A*: published and reproduced</h1>\n"
      "<p class=\"small\">Table 1 and Figure 1 of Numeroso, Bacciu and Veličković (2022) beside "
      "the "
      "same evaluation on this machine.</p>\n";
  if (!draws.empty()) {
    out += "<h2>Table 1, " + escaped(draw_words(draws.front())) + "</h2>\n" +
           result_html(report, draws.front());
  }
  const auto is_result = [](const DrawnFigure& figure) { return figure.name.starts_with("fig1"); };
  if (!figures.empty()) out += "<h2>Figure 1</h2>\n";
  for (const DrawnFigure& figure : figures) {
    if (is_result(figure)) out += figure_html(figure, folder);
  }
  if (const auto sentences = evaluate::conclusion(report.rows); !sentences.empty()) {
    out += "<h2>Conclusion</h2>\n<div class=\"conclusion\">\n" + paragraphs(sentences) + "</div>\n";
  }
  out += claims_html(report, draws);

  out += "<h2>In detail</h2>\n";
  out += folded("Findings in words", paragraphs(evaluate::findings(report.rows, report.given)));
  out += folded("Table 1 in full: constraints, iterations, speedup, standard errors",
                "<p>" + coloured(escaped(legend(report))) + "</p>\n" +
                    for_draws(report, draws, paper_sections));
  std::string more;
  for (const DrawnFigure& figure : figures) {
    if (!is_result(figure)) more += figure_html(figure, folder);
  }
  out += folded("More figures: time, and effort against path length", more);
  if (const std::string large = sections_html(large_sections(report)); !large.empty()) {
    out +=
        folded("Graphs larger than the paper's",
               "<p>Iterations, and in brackets how far the paths are above the optimum. There are "
               "fewer of the larger graphs.</p>\n" +
                   large);
  }
  out += folded("Pruning against the best known path", sections_html(pruning_sections(report)));
  out += folded(
      "Every method on the largest size, with intervals and times",
      "<p>95 % interval: bootstrap over graphs and models, of the mean. ÷ perfect: iterations ÷ "
      "those "
      "of the exact potential. Closed: nodes that the closure changes before the search. Gap: cost "
      "minus proven lower bound, in percent of the optimum. "
      "Break-even: the cost of expanding one node from which the heuristic pays.</p>\n" +
          for_draws(report, draws, further_sections));
  return out + "<p class=\"small\">" + escaped(provenance(report)) + "</p>\n</body>\n</html>\n";
}

}  // namespace lodestar::cli
