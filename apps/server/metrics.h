// Counters in the Prometheus text format. Counting is a few atomic additions without a lock, and
// the format is 60 lines, so prometheus-cpp, which brings a web server, is not used.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lodestar::server {

class Metrics {
 public:
  // `service` is one of kServices; others count as "other".
  void count(std::string_view service, int status, double seconds, std::uint64_t expansions);
  void connection_opened() {
    ++open_;
    ++accepted_;
  }
  void connection_closed() { --open_; }
  void overloaded() { ++overloaded_; }
  void timed_out() { ++timed_out_; }
  void gave_up() { ++given_up_; }

  // Current values of one graph. An empty name: the only one, without a label.
  struct GraphGauges {
    std::string name = {};
    std::uint64_t version = 0;
    std::uint64_t generation = 0;
    bool has_index = false;
    double index_age_seconds = 0;
    std::uint64_t journal_bytes = 0;
  };
  std::string text(const std::vector<GraphGauges>& graphs, std::uint64_t resident_bytes,
                   std::uint64_t unread_bytes) const;

 private:
  static constexpr std::array<std::string_view, 8> kServices = {
      "route", "table", "nearest", "weights", "health", "metrics", "viewer", "other"};
  static constexpr std::array<int, 16> kStatus = {200, 204, 304, 400, 401, 403, 404, 405,
                                                  408, 409, 413, 414, 431, 500, 503, 507};
  static constexpr std::array<double, 14> kBuckets = {
      50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.5, 2, 10};

  struct Row {
    std::array<std::atomic<std::uint64_t>, kStatus.size() + 1> by_status = {};  // last: others
    std::array<std::atomic<std::uint64_t>, kBuckets.size() + 1> by_time = {};
    std::atomic<std::uint64_t> nanoseconds = 0;
    std::atomic<std::uint64_t> expansions = 0;
  };
  std::array<Row, kServices.size()> rows_;
  std::atomic<std::uint64_t> open_ = 0, accepted_ = 0, overloaded_ = 0, timed_out_ = 0,
                             given_up_ = 0;
};

// Resident memory of this process, as the kernel reports it.
std::uint64_t resident_bytes();

}  // namespace lodestar::server
