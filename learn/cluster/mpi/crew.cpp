#include "learn/cluster/mpi/crew.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "lodestar/types.h"

namespace lodestar::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using tune::TrialOrder;
using tune::TrialReport;

enum Tag : int { kOrder = 1, kReport, kLife, kEnd };

constexpr auto kPause = std::chrono::milliseconds(10);
constexpr auto kSignOfLife = std::chrono::seconds(1);
constexpr double kFarewell = 1;  // seconds
// What an end says: whether the ranks can finalise together.
constexpr const char* kAllThere = "all there";
constexpr const char* kOneLost = "one lost";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Message {
  int source = 0, tag = 0;
  std::string text;
};

std::optional<Message> take_message() {
  int there = 0;
  MPI_Status status;
  const int code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (code != MPI_SUCCESS || !there) return std::nullopt;
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  Message message{status.MPI_SOURCE, status.MPI_TAG,
                  std::string(static_cast<std::size_t>(length), '\0')};
  MPI_Recv(message.text.data(), length, MPI_CHAR, message.source, message.tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

}  // namespace

MpiCrew::MpiCrew(int size, double patience, bool* complete)
    : workers_(static_cast<std::size_t>(size)),
      patience_(patience),
      complete_(complete),
      last_sign_(Clock::now()) {
  for (Worker& worker : workers_) worker.heard = Clock::now();
  workers_[0].lost = true;  // rank 0 leads
}

MpiCrew::~MpiCrew() {
  for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
    if (!workers_[rank].lost) send(static_cast<int>(rank), kEnd, *complete_ ? kAllThere : kOneLost);
  }
  // A moment for these to leave; what was meant for a lost rank never does.
  const auto start = Clock::now();
  while (!sending_.empty() && seconds_since(start) < kFarewell) {
    drop_sent();
    std::this_thread::sleep_for(kPause);
  }
}

std::size_t MpiCrew::idle() const {
  return static_cast<std::size_t>(
      std::count_if(workers_.begin(), workers_.end(),
                    [](const Worker& worker) { return !worker.lost && !worker.trial; }));
}

void MpiCrew::drop_sent() {
  sending_.remove_if([](Sending& old) {
    int sent = 0;
    MPI_Test(&old.request, &sent, MPI_STATUS_IGNORE);
    return sent != 0;
  });
}

// Without waiting: a rank that is gone would be waited for without end.
void MpiCrew::send(int rank, int tag, std::string text) {
  drop_sent();
  Sending& sending = sending_.emplace_back();
  sending.text = std::move(text);
  MPI_Isend(sending.text.data(), static_cast<int>(sending.text.size()), MPI_CHAR, rank, tag,
            MPI_COMM_WORLD, &sending.request);
}

void MpiCrew::start(const TrialOrder& order) {
  const auto found = std::find_if(workers_.begin(), workers_.end(), [](const Worker& worker) {
    return !worker.lost && !worker.trial;
  });
  found->trial = order.trial;
  const json message = {
      {"trial", order.trial}, {"folder", order.folder}, {"command", order.command}};
  send(static_cast<int>(found - workers_.begin()), kOrder, message.dump());
}

bool MpiCrew::receive(std::vector<TrialReport>& reports) {
  const std::optional<Message> message = take_message();
  if (!message) return false;
  Worker& worker = workers_[static_cast<std::size_t>(message->source)];
  worker.heard = Clock::now();
  // One given up on may wake again, but its trial has been handed on.
  if (worker.lost || message->tag != kReport) return true;
  const json report = json::parse(message->text);
  worker.trial.reset();
  reports.push_back({report.at("trial"), static_cast<TrialReport::Kind>(report.at("kind")),
                     report.at("text"), report.at("seconds")});
  return true;
}

void MpiCrew::find_lost(std::vector<TrialReport>& reports) {
  bool any_left = false;
  for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
    Worker& worker = workers_[rank];
    if (worker.lost) continue;
    worker.lost = seconds_since(worker.heard) > patience_;
    if (worker.lost) *complete_ = false;
    any_left |= !worker.lost;
    if (!worker.lost || !worker.trial) continue;
    reports.push_back({*worker.trial, TrialReport::Kind::kLost,
                       "rank " + std::to_string(rank) + " has not been heard of for " +
                           std::to_string(static_cast<int>(patience_)) + " s",
                       0});
  }
  if (!any_left) {
    throw Error(
        "no rank is left that could run a trial. What is finished is kept: run the same command "
        "again");
  }
}

void MpiCrew::give_sign_of_life() {
  if (Clock::now() - last_sign_ < kSignOfLife) return;
  last_sign_ = Clock::now();
  for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
    if (!workers_[rank].lost) send(static_cast<int>(rank), kLife, {});
  }
}

std::vector<TrialReport> MpiCrew::wait() {
  std::vector<TrialReport> reports;
  while (receive(reports)) {
  }
  find_lost(reports);
  give_sign_of_life();
  if (reports.empty()) std::this_thread::sleep_for(kPause);
  return reports;
}

bool serve_trials(double patience) {
  std::optional<tune::TrialProcess> running;
  auto heard = Clock::now(), last_sign = heard - kSignOfLife;
  const auto tell = [](Tag tag, const std::string& text) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, MPI_COMM_WORLD);
  };
  const auto report = [&](const TrialReport& what) {
    const json message = {{"trial", what.trial},
                          {"kind", static_cast<int>(what.kind)},
                          {"text", what.text},
                          {"seconds", what.seconds}};
    tell(kReport, message.dump());
  };
  while (true) {
    while (const std::optional<Message> message = take_message()) {
      heard = Clock::now();
      if (message->tag == kEnd) return message->text == kAllThere;
      if (message->tag != kOrder) continue;
      const json order = json::parse(message->text);
      const TrialOrder trial{order.at("trial"), order.at("folder"), order.at("command")};
      try {
        running.emplace(trial);
      } catch (const Error& error) {  // who leads decides what to do about it
        report({trial.trial, TrialReport::Kind::kFailed, error.what(), 0});
      }
    }
    if (running) {
      if (const auto ended = running->poll()) {
        running.reset();
        report(*ended);
      }
    }
    if (Clock::now() - last_sign >= kSignOfLife) {
      last_sign = Clock::now();
      tell(kLife, {});
    }
    if (seconds_since(heard) > patience) {
      throw Error("the rank that leads the search is gone; run the same command again");
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace lodestar::cluster
