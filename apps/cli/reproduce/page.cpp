#include "page.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "learn/evaluate/plain_words.h"
#include "markdown.h"

namespace lodestar::cli {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Learning heuristics for A*, run again</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; margin-bottom: .3rem; } h2 { font-size: 1.25rem; margin-top: 2.4rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
.lead { font-size: 1.15rem; } .small { color: #555; font-size: .85rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; margin: .5rem 0; }
td, th { padding: .18rem .4rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
td:first-child, th:first-child { text-align: left; }
thead th { border-bottom: 2px solid #888; white-space: normal; vertical-align: bottom; }
tbody th { background: #f3f5f7; font-weight: 600; text-align: left; }
figure { margin: 1.5rem 0; } figure img { width: 100%; } figcaption { color: #444; font-size: .9rem; }
.better { color: #00684a; font-weight: 700; } .noise { color: #666; font-weight: 700; } .worse { color: #b03000; font-weight: 700; }
ul.claims { list-style: none; padding-left: 0; } p.failures { color: #444; font-size: .88rem; margin: 0 0 .4rem 1.3rem; }
summary { cursor: pointer; font-weight: 600; margin: .8rem 0; }
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

// What most readers need not see at once.
std::string folded(const std::string& title, const std::string& body) {
  if (body.empty()) return "";
  return "<details><summary>" + escaped(title) + "</summary>\n" + body + "</details>\n";
}

}  // namespace

std::string page_html(const Report& report, const std::vector<DrawnFigure>& figures,
                      const std::string& folder) {
  std::string out = kHead;
  out += "<h1>“Learning heuristics for A*”, run again</h1>\n<p class=\"small\">" +
         escaped(provenance(report)) + "</p>\n<h2>Verdict</h2>\n";
  bool first = true;
  for (const std::string& sentence :
       evaluate::plain_words(report.rows, report.claims, report.given)) {
    out += (first ? "<p class=\"lead\">" : "<p>") + escaped(sentence) + "</p>\n";
    first = false;
  }
  out += "<ul class=\"claims\">\n";
  for (const evaluate::Claim& claim : report.claims) {
    out += coloured(fmt::format("<li>{} {}{}: <b>{} of {}</b> cells", claim.holds() ? "✓" : "✗",
                                claim.made ? "" : "<i>asked, not claimed:</i> ",
                                escaped(claim.text), claim.passed(), claim.cells));
    if (!claim.failures.empty()) {
      std::string list;
      for (const std::string& failure : claim.failures) {
        list += (list.empty() ? "Fails on " : "; ") + escaped(failure);
      }
      out += "<p class=\"failures\">" + list + ".</p>";
    }
    out += "</li>\n";
  }
  out += "</ul>\n<h2>Figures</h2>\n";
  for (const DrawnFigure& figure : figures) out += figure_html(figure, folder);

  const std::vector<Draw> draws = draws_of(report);
  out += "<h2>Table 1, the paper's values beside ours</h2>\n<p>" +
         coloured(escaped(legend(report))) + "</p>\n";
  for (const Draw draw : draws) {
    const std::string tables = sections_html(paper_sections(report, draw));
    out += draw == draws.front() ? tables : folded("The same on " + draw_words(draw), tables);
  }
  out += folded("What pruning against the best path known changes",
                sections_html(pruning_sections(report)));
  const std::string large = sections_html(large_sections(report));
  if (!large.empty()) {
    out +=
        "<h2>Larger graphs than the paper's</h2>\n<p>Iterations; in brackets how far the paths are "
        "above the optimum. The larger the graphs, the fewer there are.</p>\n" +
        large;
  }
  out +=
      "<h2>Beyond the table</h2>\n<p>95 % interval: bootstrap over graphs and models, of the mean. "
      "÷ "
      "perfect: iterations against the exact potential's. Gap: cost minus proven lower bound, in "
      "percent of the optimum. Break-even: what expanding one node must cost for the heuristic to "
      "pay.</p>\n";
  for (const Draw draw : draws) {
    const std::string tables = sections_html(further_sections(report, draw));
    out += draw == draws.front() ? tables : folded("The same on " + draw_words(draw), tables);
  }
  return out + "</body>\n</html>\n";
}

}  // namespace lodestar::cli
