#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <utility>

#include "learn/evaluate/measure.h"

namespace lodestar::evaluate {

ProgramSource::ProgramSource(std::string command) : command_(std::move(command)) {
  // A program that ends early must show as an Error here, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  int to[2], from[2];
  // Closed when another thread starts a program: otherwise that one would keep this one's input
  // open, and it would never see its end.
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) {
    throw Error("'" + command_ + "' cannot be started: no pipes are left");
  }
  process_ = fork();
  if (process_ == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command_.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
  if (process_ < 0) throw Error("'" + command_ + "' cannot be started: no process is left");
}

ProgramSource::~ProgramSource() {
  std::fclose(to_);
  std::fclose(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

void ProgramSource::ask(const Instance& instance, std::vector<double>& y) {
  const Graph& graph = instance.graph;
  std::string text = fmt::format("{} {} {} {}\n", graph.node_count(), graph.arc_count(),
                                 instance.query.source, instance.query.target);
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) text += fmt::format("{} {} {}\n", u, arc.head, arc.weight);
  }
  std::fwrite(text.data(), 1, text.size(), to_);
  std::fflush(to_);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    double value = 0;
    if (std::fscanf(from_, "%lf", &value) != 1 || !std::isfinite(value)) {
      throw Error(fmt::format(
          "'{}' did not answer with {} finite numbers (it stopped at number {}); it must write one "
          "estimate per node and flush, see `lodestar reproduce --help`",
          command_, graph.node_count(), v));
    }
    y[v] = -value;
  }
}

}  // namespace lodestar::evaluate
