#include "metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace lodestar::server {

void Metrics::count(std::string_view service, int status, double seconds,
                    std::uint64_t expansions) {
  const auto name = std::find(kServices.begin(), kServices.end(), service);
  const std::size_t at = name == kServices.end()
                             ? kServices.size() - 1
                             : static_cast<std::size_t>(name - kServices.begin());
  Row& row = rows_[at];
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const auto code = std::find(kStatus.begin(), kStatus.end(), status);
  row.by_status[static_cast<std::size_t>(code - kStatus.begin())].fetch_add(1, kRelaxed);
  const auto bucket = std::lower_bound(kBuckets.begin(), kBuckets.end(), seconds);
  row.by_time[static_cast<std::size_t>(bucket - kBuckets.begin())].fetch_add(1, kRelaxed);
  row.nanoseconds.fetch_add(static_cast<std::uint64_t>(std::max(0.0, seconds) * 1e9), kRelaxed);
  row.expansions.fetch_add(expansions, kRelaxed);
}

std::string Metrics::text(const std::vector<GraphGauges>& graphs, std::uint64_t resident_bytes,
                          std::uint64_t unread_bytes) const {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto head = [&](std::string_view name, std::string_view kind, std::string_view help) {
    fmt::format_to(out, "# HELP {} {}\n# TYPE {} {}\n", name, help, name, kind);
  };
  head("lodestar_requests_total", "counter", "Requests answered, by service and HTTP status.");
  for (std::size_t s = 0; s < kServices.size(); ++s) {
    for (std::size_t i = 0; i <= kStatus.size(); ++i) {
      const std::uint64_t n = rows_[s].by_status[i];
      if (n == 0) continue;
      fmt::format_to(out, "lodestar_requests_total{{service=\"{}\",status=\"{}\"}} {}\n",
                     kServices[s], i < kStatus.size() ? std::to_string(kStatus[i]) : "other", n);
    }
  }
  head("lodestar_request_seconds", "histogram", "Time from a whole request to its response.");
  for (std::size_t s = 0; s < kServices.size(); ++s) {
    std::uint64_t sum = 0;
    for (const auto& n : rows_[s].by_time) sum += n;
    if (sum == 0) continue;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= kBuckets.size(); ++i) {
      below += rows_[s].by_time[i];
      fmt::format_to(out, "lodestar_request_seconds_bucket{{service=\"{}\",le=\"{}\"}} {}\n",
                     kServices[s], i < kBuckets.size() ? fmt::format("{:g}", kBuckets[i]) : "+Inf",
                     below);
    }
    fmt::format_to(out, "lodestar_request_seconds_sum{{service=\"{}\"}} {}\n", kServices[s],
                   static_cast<double>(rows_[s].nanoseconds) * 1e-9);
    fmt::format_to(out, "lodestar_request_seconds_count{{service=\"{}\"}} {}\n", kServices[s],
                   below);
  }
  head("lodestar_expansions_total", "counter", "Nodes expanded by searches, by service.");
  for (std::size_t s = 0; s < kServices.size(); ++s) {
    if (rows_[s].expansions == 0) continue;
    fmt::format_to(out, "lodestar_expansions_total{{service=\"{}\"}} {}\n", kServices[s],
                   rows_[s].expansions.load());
  }
  const auto one = [&](std::string_view name, std::string_view kind, std::string_view help,
                       auto value) {
    head(name, kind, help);
    fmt::format_to(out, "{} {}\n", name, value);
  };
  one("lodestar_connections", "gauge", "Open connections.", open_.load());
  one("lodestar_connections_total", "counter", "Connections accepted.", accepted_.load());
  one("lodestar_overloaded_total", "counter", "Requests and connections rejected with 503.",
      overloaded_.load());
  one("lodestar_timeouts_total", "counter", "Connections closed for being too slow.",
      timed_out_.load());
  one("lodestar_unread_closed_total", "counter",
      "Connections closed because unread responses held too much memory.", given_up_.load());
  one("lodestar_unread_bytes", "gauge", "Bytes of responses that clients have not read yet.",
      unread_bytes);
  const auto each = [&](std::string_view name, std::string_view help, auto value) {
    head(name, "gauge", help);
    for (const GraphGauges& graph : graphs) {
      const std::string label = graph.name.empty() ? "" : "{graph=\"" + graph.name + "\"}";
      fmt::format_to(out, "{}{} {}\n", name, label, value(graph));
    }
  };
  each("lodestar_weights_version", "Version of the weights.",
       [](const GraphGauges& graph) { return graph.version; });
  each("lodestar_index", "1 if an index is in use.",
       [](const GraphGauges& graph) { return graph.has_index ? 1 : 0; });
  each("lodestar_index_generation", "Times the index was replaced by a better one.",
       [](const GraphGauges& graph) { return graph.generation; });
  each("lodestar_index_age_seconds", "Time since the index was made or customized.",
       [](const GraphGauges& graph) { return graph.index_age_seconds; });
  each("lodestar_journal_bytes", "Size of the journal of weights.",
       [](const GraphGauges& graph) { return graph.journal_bytes; });
  one("process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes);
  return text;
}

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace lodestar::server
