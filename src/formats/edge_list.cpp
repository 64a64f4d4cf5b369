// Edge lists: one arc per line. The separator is the first of tab, comma, semicolon and blank that
// the first line contains. A header line may name the columns; otherwise they are source, target
// and optionally weight. Ids are any text; fields may be quoted.
#include <algorithm>
#include <span>

#include "formats/edges.h"
#include "formats/format.h"

namespace lodestar::formats {
namespace {

using Names = std::span<const std::string_view>;
constexpr std::string_view kSource[] = {"source", "from", "src",   "tail",
                                        "u",      "s",    "start", "node1"};
constexpr std::string_view kTarget[] = {"target", "to", "dst", "head", "v", "t", "end", "node2"};
constexpr std::string_view kWeight[] = {"weight",      "length", "cost", "distance",
                                        "travel_time", "dist",   "w"};
constexpr std::string_view kClass[] = {"class", "classes"};
constexpr std::size_t kMissing = static_cast<std::size_t>(-1);

std::string_view trimmed(std::string_view text, const char* blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

char separator_of(std::string_view line) {
  for (const char c : {'\t', ',', ';'}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

// The fields of a line. A quoted field ("a ""b"", c") is unquoted into `arcs`, which keeps it.
class Splitter {
 public:
  Splitter(const Lines& lines, char separator, NamedArcs& arcs)
      : lines_(lines),
        separator_(separator),
        blanks_(separator == '\t' ? " " : " \t"),
        arcs_(arcs) {}

  const std::vector<std::string_view>& split() {
    fields_.clear();
    rest_ = trimmed(lines_.line(), blanks_);
    while (true) {
      fields_.push_back(rest_.starts_with('"') ? take_quoted() : take_plain());
      if (rest_.empty()) return fields_;
      if (separator_ != ' ') {
        if (rest_[0] != separator_) lines_.fail("text follows a closing quote");
        rest_.remove_prefix(1);
      }
      rest_ = trimmed(rest_, blanks_);
    }
  }

  const std::vector<std::string_view>& fields() const { return fields_; }

 private:
  std::string_view take_plain() {
    const std::string_view stops = separator_ == ' ' ? blanks_ : std::string_view(&separator_, 1);
    const std::size_t size = std::min(rest_.find_first_of(stops), rest_.size());
    const std::string_view field = trimmed(rest_.substr(0, size), blanks_);
    rest_.remove_prefix(size);
    return field;
  }
  std::string_view take_quoted() {
    std::string text;
    std::size_t at = 1;
    while (true) {
      const std::size_t quote = rest_.find('"', at);
      if (quote == std::string_view::npos) lines_.fail("a quote is not closed on this line");
      text += rest_.substr(at, quote - at);
      at = quote + 1;
      if (at >= rest_.size() || rest_[at] != '"') break;
      text += '"';
      ++at;
    }
    rest_.remove_prefix(at);
    if (separator_ != ' ') rest_ = trimmed(rest_, blanks_);
    return arcs_.keep(std::move(text));
  }

  const Lines& lines_;
  char separator_;
  const char* blanks_;
  NamedArcs& arcs_;
  std::string_view rest_;
  std::vector<std::string_view> fields_;
};

struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::size_t weight = kMissing;
  std::size_t classes = kMissing;
  std::vector<std::size_t> metrics;
  std::vector<std::string> names;  // of metrics, as asked for
  std::size_t count = 0;
  bool with_metrics() const { return !metrics.empty() || classes != kMissing; }
};

std::size_t find_column(const std::vector<std::string_view>& fields, Names names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (same_word(fields[i], name)) return i;
    }
  }
  return kMissing;
}

// Determines the columns from the first line; *header says whether it is a header.
Columns find_columns(const std::vector<std::string_view>& fields, const ReadOptions& options,
                     const Lines& lines, GraphFile& file, bool* header) {
  Columns columns;
  columns.count = fields.size();
  columns.source = find_column(fields, kSource);
  columns.target = find_column(fields, kTarget);
  *header = columns.source != kMissing && columns.target != kMissing;
  if (!*header) {
    columns.source = 0;
    columns.target = 1;
    const bool unweighted = options.weight == kNoWeight;
    if (!options.weight.empty() && !unweighted) {
      lines.fail("--weight requires a header line that names the columns");
    }
    if (!options.metrics.empty()) {
      lines.fail("--metrics requires a header line that names the columns");
    }
    if (fields.size() < 2) lines.fail("`SOURCE TARGET [WEIGHT]` expected");
    if (fields.size() > 3) {
      lines.fail("more than three columns; add a header line that names source, target and weight");
    }
    if (fields.size() == 3 && unweighted) file.notes.push_back("the third column is ignored");
    columns.weight = fields.size() == 3 && !unweighted ? 2 : kMissing;
  } else if (!options.weight.empty()) {
    const std::string_view wanted = options.weight;
    columns.weight = find_column(fields, Names(&wanted, 1));
    if (columns.weight == kMissing && wanted != kNoWeight) {
      lines.fail("there is no column " + quoted(options.weight));
    }
  } else {
    columns.weight = find_column(fields, kWeight);
  }
  for (const std::string_view name : options.metrics) {
    const std::size_t at = find_column(fields, Names(&name, 1));
    if (at == kMissing) lines.fail("there is no column " + quoted(name));
    if (at == columns.weight) continue;
    columns.metrics.push_back(at);
    columns.names.emplace_back(name);
  }
  if (*header) columns.classes = find_column(fields, kClass);
  std::string others;
  for (std::size_t i = 0; *header && i < fields.size(); ++i) {
    if (i == columns.source || i == columns.target || i == columns.weight) continue;
    if (i == columns.classes) continue;
    if (std::find(columns.metrics.begin(), columns.metrics.end(), i) != columns.metrics.end()) {
      continue;
    }
    others += (others.empty() ? "" : ", ") + quoted(fields[i]);
  }
  // Using weights of 1 although the file has others would silently give another graph.
  if (columns.weight == kMissing && !others.empty() && options.weight.empty()) {
    lines.fail("unknown weight column; choose one of " + others +
               " with --weight, or --weight none to give each arc weight 1");
  }
  if (!others.empty()) file.notes.push_back("ignored columns: " + others);
  if (columns.weight == kMissing) file.notes.push_back("no weights; each is 1");
  return columns;
}

void put_name(TextWriter& out, const std::string& name, char separator, const std::string& path) {
  if (name.find_first_of("\n\r") != std::string::npos) {
    throw Error(path +
                ": a node name contains a line break, which an edge list cannot store; write "
                ".graphml or .lsg");
  }
  if (name.empty())
    throw Error(path +
                ": a node name is empty, which an edge list cannot store; write .graphml or .lsg");
  const char* special = separator == ',' ? " \t,;\"#%" : " \t\"#%";
  if (name.find_first_of(special) == std::string::npos) {
    out.put(name);
    return;
  }
  out.put('"');
  for (const char c : name) {
    if (c == '"') out.put('"');
    out.put(c);
  }
  out.put('"');
}

}  // namespace

GraphFile read_edge_list(const Input& input) {
  Lines lines(input.text(), input.name);
  GraphFile file;
  file.format = "edge list";
  NamedArcs arcs;
  if (!lines.next_content("#%")) {
    arcs.build(file);
    file.notes.push_back("the file lists no arcs");
    return file;
  }
  Splitter splitter(lines, separator_of(lines.line()), arcs);
  bool header = false;
  const Columns columns = find_columns(splitter.split(), input.options, lines, file, &header);
  if (columns.with_metrics()) {
    // The splitter still has the header, unless there is none.
    const bool named = header && columns.weight != kMissing;
    std::vector<Metric> metrics = {
        {named ? std::string(splitter.fields()[columns.weight]) : "hops", "", 1}};
    for (const std::string& name : columns.names) metrics.push_back({name, "", 1});
    arcs.set_metrics(std::move(metrics));
  }
  std::vector<Weight> row;
  bool more = !header || lines.next_content("#%");
  while (more) {
    const auto& fields = splitter.split();
    if (fields.size() != columns.count) {
      lines.fail("the line has " + std::to_string(fields.size()) + " fields; the first has " +
                 std::to_string(columns.count));
    }
    const std::string_view source = fields[columns.source];
    const std::string_view target = fields[columns.target];
    if (source.empty() || target.empty()) lines.fail("a node is missing");
    const Weight weight =
        columns.weight == kMissing ? 1 : parse_weight(fields[columns.weight], lines);
    const NamedArcs::Index tail = arcs.node(source);
    arcs.add(tail, arcs.node(target), weight, false);
    if (columns.with_metrics()) {
      row.clear();
      for (const std::size_t i : columns.metrics) row.push_back(parse_weight(fields[i], lines));
      arcs.add_metrics(row, columns.classes == kMissing ? "" : fields[columns.classes]);
    }
    more = lines.next_content("#%");
  }
  arcs.build(file);
  return file;
}

Omissions write_edge_list(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  const char separator = without_compression(to.kind).ends_with(".csv") ? ',' : '\t';
  TextWriter out(to.path, to.kind);
  out.put("source").put(separator).put("target").put(separator).put("weight");
  const Metrics& metrics = file.metrics;
  for (std::size_t k = 0; k < metrics.columns.size(); ++k) {
    out.put(separator);
    put_name(out, metrics.metrics[k + 1].name, separator, to.path);
  }
  if (!metrics.arc_kind.empty()) out.put(separator).put("class");
  out.put('\n');
  const std::vector<std::string> classes = class_texts(metrics);
  std::size_t index = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    if (graph.degree(u) == 0) continue;
    const std::string tail = file.names.name(u);
    for (const Arc arc : graph.arcs(u)) {
      put_name(out, tail, separator, to.path);
      out.put(separator);
      put_name(out, file.names.name(arc.head), separator, to.path);
      out.put(separator).put(arc.weight);
      for (const MetricColumn& column : metrics.columns) out.put(separator).put(column[index]);
      if (!metrics.arc_kind.empty()) {
        out.put(separator).put(classes[metrics.arc_kind[index]]);
      }
      out.put('\n');
      ++index;
    }
  }
  out.commit();
  Omissions omissions = omissions_of_text_names(file);
  for (std::string& loss : omissions_of_metrics(file, false)) omissions.push_back(std::move(loss));
  if (graph.has_coordinates()) omissions.push_back("coordinates");
  if (const std::size_t isolated = isolated_count(graph); isolated > 0) {
    omissions.push_back("nodes without arcs: " + std::to_string(isolated));
  }
  return omissions;
}

}  // namespace lodestar::formats
