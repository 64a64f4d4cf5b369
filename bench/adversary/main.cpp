// adversary: compares every algorithm with an oracle, on graphs drawn to break it.
//
//   adversary --answers 10000000 --seed 1
//
// A worker process draws and answers; this process supervises it. A wrong answer, an Error, a crash
// or a hang ends the run with status 1 and the smallest graph found that still shows it. Prints,
// for each algorithm, how many answers were checked.
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "lodestar/rng.h"
#include "lodestar/version.h"
#include "trial.h"

namespace adversary {
namespace {

using lodestar::algorithms;
using lodestar::Query;
using lodestar::Rng;

constexpr std::uint64_t kRarity = 2000;  // one graph in so many is a chain of a million nodes
// One batch of queries may take so many seconds of this process, or of the clock.
constexpr int kPatience = 60, kLongPatience = 900;

// From now on; a signal ends the process when they are over.
void allow(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(static_cast<unsigned>(kLongPatience));
}

bool is_hang(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
}

// Shared memory: the worker writes, the supervisor reads.
struct Progress {
  std::uint64_t graph_seed = 0;
  std::uint64_t way_seed = 0;
  std::uint64_t algorithm = 0;
  std::uint64_t graphs = 0;
  std::uint64_t answers[64] = {};  // by algorithm
  std::uint64_t refused[64] = {};
  bool done = false;
  char wrong[600] = {};
};

std::vector<Query> draw_queries(const Case& c, std::uint64_t seed) {
  Rng rng(lodestar::mix64(seed ^ 0x9e3779));
  const bool large = c.nodes > 1000;
  std::vector<Query> queries;
  for (int s = 0; s < (large ? 1 : 4); ++s) {
    const auto source = static_cast<lodestar::NodeId>(rng.below(c.nodes));
    for (int t = 0; t < (large ? 2 : 8); ++t) queries.push_back({source, rng.below(c.nodes)});
  }
  return queries;
}

// Empty if all answers are right. `refused` is set if the Router rejects the options.
std::string try_way(const Case& c, const Way& way, const std::vector<Query>& queries,
                    bool* refused = nullptr) {
  std::unique_ptr<Trial> trial;
  try {
    trial = std::make_unique<Trial>(c, way);
  } catch (const lodestar::Error&) {
    if (refused != nullptr) *refused = true;
    return {};
  }
  try {
    Judge judge(c);
    return trial->check(queries, judge);
  } catch (const std::exception& error) {
    return std::string("throws: ") + error.what();
  }
}

void work(Progress& progress, std::uint64_t seed, std::uint64_t wanted) {
  std::uint64_t answers = 0;
  for (std::uint64_t g = seed * 1'000'000'007; answers < wanted; ++g) {
    const Case c = draw(g, kRarity);
    progress.graph_seed = g;
    ++progress.graphs;
    for (std::size_t row = 0; row < algorithms().size(); ++row) {
      progress.algorithm = row;
      progress.way_seed = g ^ row;
      const Way way = draw_way(c, row, g ^ row);
      const std::vector<Query> queries = draw_queries(c, g ^ row);
      bool refused = false;
      allow(kPatience);
      const std::string wrong = try_way(c, way, queries, &refused);
      if (!wrong.empty()) {
        std::strncpy(progress.wrong, wrong.c_str(), sizeof progress.wrong - 1);
        std::_Exit(1);
      }
      if (refused) {
        ++progress.refused[row];
      } else {
        progress.answers[row] += queries.size();
        answers += queries.size();
      }
    }
  }
  progress.done = true;
  std::_Exit(0);
}

// Runs f in a process of its own: 0 when it ended well, 1 on anything else, a hang included.
template <class F>
bool ends_well(F&& f, int seconds) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    allow(seconds);
    std::_Exit(f() ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Takes out queries, then ever smaller pieces of the arcs, as long as it still fails.
void minimise(Case& c, const Way& way, std::vector<Query>& queries) {
  const auto fails = [&](const Case& smaller, const std::vector<Query>& fewer) {
    return !ends_well([&] { return try_way(smaller, way, fewer).empty(); }, 10);
  };
  for (const Query query : std::vector<Query>(queries)) {
    if (fails(c, {query})) {
      queries = {query};
      break;
    }
  }
  for (std::size_t piece = std::max<std::size_t>(1, c.arcs.size() / 2);; piece /= 2) {
    for (std::size_t at = 0; at < c.arcs.size();) {
      Case smaller = c;
      const std::size_t end = std::min(at + piece, c.arcs.size());
      smaller.arcs.erase(smaller.arcs.begin() + static_cast<std::ptrdiff_t>(at),
                         smaller.arcs.begin() + static_cast<std::ptrdiff_t>(end));
      if (fails(smaller, queries)) {
        c = std::move(smaller);
      } else {
        at += piece;
      }
    }
    if (piece <= 1) break;
  }
  // Nodes no arc and no query names any more; the others keep their order.
  std::vector<std::uint32_t> place(c.nodes, 0);
  for (const CaseArc& arc : c.arcs) place[arc.tail] = place[arc.head] = 1;
  for (const Query query : queries) place[query.source] = place[query.target] = 1;
  Case smaller = c;
  smaller.nodes = 0;
  smaller.points.clear();
  for (std::uint32_t v = 0; v < c.nodes; ++v) {
    if (place[v] == 0) continue;
    place[v] = smaller.nodes++;
    if (!c.points.empty()) smaller.points.push_back(c.points[v]);
  }
  for (CaseArc& arc : smaller.arcs) arc.tail = place[arc.tail], arc.head = place[arc.head];
  std::vector<Query> renamed = queries;
  for (Query& query : renamed) query = {place[query.source], place[query.target]};
  if (!fails(smaller, renamed)) return;
  c = std::move(smaller);
  queries = std::move(renamed);
}

int report_failure(const Progress& progress, const std::string& how) {
  Case c = draw(progress.graph_seed, kRarity);
  const Way way = draw_way(c, progress.algorithm, progress.way_seed);
  std::vector<Query> queries = draw_queries(c, progress.way_seed);
  std::printf("FAILED (%s): %s\n%s\nmaking it smaller …\n", how.c_str(), way.text().c_str(),
              progress.wrong);
  std::fflush(stdout);
  if (c.nodes <= 1000) minimise(c, way, queries);
  const std::string wrong = how == "wrong answer" ? try_way(c, way, queries) : how;
  std::printf("%s\n%s", wrong.c_str(), c.nodes <= 1000 ? c.text().c_str() : "a long chain\n");
  for (const Query query : queries) std::printf("query %u -> %u\n", query.source, query.target);
  return 1;
}

int watch(std::uint64_t seed, std::uint64_t wanted) {
  if (algorithms().size() > std::size(Progress{}.answers)) std::abort();
  void* memory =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  Progress& progress = *new (memory) Progress;
  std::fflush(nullptr);
  const pid_t worker = fork();
  if (worker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // end with the parent process
    work(progress, seed, wanted);
  }
  int status = 0;
  while (waitpid(worker, &status, 0) < 0) {
  }
  const bool hung = is_hang(status);
  std::uint64_t answers = 0;
  std::printf("%-26s %12s %12s\n", "algorithm", "answers", "refused");
  for (std::size_t row = 0; row < algorithms().size(); ++row) {
    answers += progress.answers[row];
    std::printf("%-26s %12llu %12llu\n", std::string(algorithms()[row].name).c_str(),
                static_cast<unsigned long long>(progress.answers[row]),
                static_cast<unsigned long long>(progress.refused[row]));
  }
  const bool well = progress.done && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("%llu answers on %llu graphs, %d wrong, %d hung, seed %llu\n",
              static_cast<unsigned long long>(answers),
              static_cast<unsigned long long>(progress.graphs), well || hung ? 0 : 1, hung ? 1 : 0,
              static_cast<unsigned long long>(seed));
  if (well) return 0;
  return report_failure(progress, hung                  ? "hangs"
                                  : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                                        : "wrong answer");
}

}  // namespace
}  // namespace adversary

int main(int count, char** arguments) {
  std::uint64_t answers = 1'000'000, seed = 1;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (value != nullptr && (name == "--answers" || name == "--seed")) {
      (name == "--seed" ? seed : answers) = std::strtoull(value, nullptr, 10);
      ++i;
    } else {
      std::printf("usage: adversary [--answers N] [--seed S]\n");
      return name == "--help" ? 0 : 2;
    }
  }
  std::printf("lodestar %s (%s), adversary --answers %llu --seed %llu\n", lodestar::kVersion,
              lodestar::kCommit, static_cast<unsigned long long>(answers),
              static_cast<unsigned long long>(seed));
  return adversary::watch(seed, answers);
}
