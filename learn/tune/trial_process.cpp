#include "learn/tune/trial_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>
#include <utility>

#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLockAttempts = 200;
constexpr auto kLockPause = std::chrono::milliseconds(50);

// The lock is inherited by the trial: it is held as long as either process lives, so that a trial
// handed on is not trained twice in one folder.
int lock_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(folder + ": cannot be created: " + failed.message());
  const int lock = ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) throw Error(folder + "/lock: cannot be created: " + std::strerror(errno));
  for (int attempt = 0; ::flock(lock, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK || attempt == kLockAttempts) {
      const int code = errno;
      ::close(lock);
      throw Error(folder + ": another process uses this folder: " + std::strerror(code));
    }
    std::this_thread::sleep_for(kLockPause);
  }
  return lock;
}

std::string whole_text(int descriptor) {
  std::string text;
  char buffer[4096];
  ssize_t got;
  off_t at = 0;
  while ((got = ::pread(descriptor, buffer, sizeof buffer, at)) > 0) {
    text.append(buffer, static_cast<std::size_t>(got));
    at += got;
  }
  return text;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

// Null, which stands for a number that is not finite, stays null.
Json six_digits(const Json& value) {
  return value.is_number() ? Json(std::round(value.get<double>() * 1e6) / 1e6) : Json();
}

// What a finished trial measured: what it printed, joined by the curve of its scale.json. Nothing
// when it printed no result.
Json read_measures(const std::string& printed, const std::string& folder) {
  Json measures = Json::parse(printed, nullptr, false);
  if (!measures.is_object()) return {};
  measures.erase("model");  // a path of the machine that trained
  measures["curve"] = Json::array();
  std::ifstream in(folder + "/scale.json");
  const Json scale = in ? Json::parse(in, nullptr, false) : Json();
  if (!scale.is_object()) return measures;  // the scale was given, not chosen
  for (const Json& point : scale.at("curve")) {
    measures["curve"].push_back(Json::array(
        {point.at("scale"), six_digits(point.at("iteration_ratio")),
         six_digits(point.at("relative_distance")), six_digits(point.at("constraints"))}));
  }
  return measures;
}

// A trial runs alone, even if its parent is one of several ranks of mpirun.
std::vector<char*> environment_without_mpi() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool of_mpi = text.starts_with("OMPI_") || text.starts_with("PMIX_") ||
                        text.starts_with("PMI_") || text.starts_with("ORTE_");
    if (!of_mpi) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

TrialProcess::TrialProcess(const TrialOrder& order)
    : trial_(order.trial),
      folder_(order.folder),
      lock_(lock_folder(order.folder)),
      // Output is kept in memory: on a full disk the error message must still arrive.
      out_(::memfd_create("trial-out", MFD_CLOEXEC)),
      error_(::memfd_create("trial-error", MFD_CLOEXEC)),
      start_(std::chrono::steady_clock::now()) {
  std::vector<std::string> words = order.command;
  // From its checkpoint, when there is one. Decided under the lock: no other process can begin the
  // run after this.
  if (std::filesystem::exists(folder_ + "/config.json")) words.emplace_back("--resume");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_without_mpi();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Error(std::string("a trial cannot be started: ") + std::strerror(errno));
  if (pid_ > 0) return;
  // The child: system calls only, since other threads may have held locks.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::dup2(out_, STDOUT_FILENO);
  ::dup2(error_, STDERR_FILENO);
  ::fcntl(lock_, F_SETFD, 0);
  ::execve(arguments[0], arguments.data(), environment.data());
  ::_exit(127);
}

TrialProcess::TrialProcess(TrialProcess&& other) noexcept
    : trial_(other.trial_),
      folder_(std::move(other.folder_)),
      pid_(std::exchange(other.pid_, -1)),
      lock_(std::exchange(other.lock_, -1)),
      out_(std::exchange(other.out_, -1)),
      error_(std::exchange(other.error_, -1)),
      start_(other.start_) {}

TrialProcess::~TrialProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int descriptor : {lock_, out_, error_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

std::optional<TrialReport> TrialProcess::poll() {
  int status = 0;
  if (pid_ <= 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  pid_ = -1;
  return report(status);
}

TrialReport TrialProcess::report(int status) const {
  TrialReport report;
  report.trial = trial_;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::string errors = whole_text(error_);
  std::ofstream(folder_ + "/output.log", std::ios::app) << errors;
  if (WIFSIGNALED(status)) {
    report.text = "killed by signal " + std::to_string(WTERMSIG(status));
    return report;
  }
  const int code = WEXITSTATUS(status);
  if (code > 128) {  // it ended itself after one
    report.text = "ended by signal " + std::to_string(code - 128);
    return report;
  }
  report.kind = code == 0   ? TrialReport::Kind::kDone
                : code == 1 ? TrialReport::Kind::kDiverged
                            : TrialReport::Kind::kFailed;
  report.text = code == 127 ? "the program that trains cannot be started" : last_line(errors);
  if (code != 0) return report;
  const Json measures = read_measures(whole_text(out_), folder_);
  if (measures.is_null()) {
    report.kind = TrialReport::Kind::kFailed;
    report.text = "it ended without a result";
    return report;
  }
  report.text = measures.dump();
  if (!measures.value("validation_loss", Json()).is_number()) {
    report.kind = TrialReport::Kind::kDiverged;
    report.text = "its validation loss is not finite";
  }
  return report;
}

}  // namespace lodestar::tune
