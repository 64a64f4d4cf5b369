// adversary: compares every method with an oracle, on graphs drawn to break it.
//
//   adversary --answers 10000000 --seed 1 --resume run.txt
//   adversary --show run.txt other.txt
//
// A worker process draws and answers; this process supervises it. A wrong answer, an Error, a crash
// or a hang ends the run with status 1 and the smallest graph found that still shows it. The state
// is written every few seconds; the same command resumes from it, after the graph that failed if
// one did. SIGINT and SIGTERM end the run after the current graph. Prints, for each method, how
// many answers were checked.
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <new>
#include <string>

#include "lodestar/rng.h"
#include "lodestar/version.h"
#include "run_state.h"
#include "trial.h"

namespace adversary {
namespace {

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
  RunState state;
  std::uint64_t graph_seed = 0;
  std::uint64_t way_seed = 0;
  std::uint64_t method = 0;
  volatile std::sig_atomic_t stop = 0;  // set by the supervisor
  bool done = false;
  char wrong[600] = {};
};

struct Plan {
  std::uint64_t answers = 1'000'000;
  std::uint64_t seed = 1;
  std::uint32_t queries = 512;  // of one configuration, at most
  std::string state;            // its file; empty: none
};

// All pairs of a small graph, otherwise some sources and all targets in any order. Models and
// alternatives cost a thousand times a query, so they get fewer.
std::vector<Query> draw_queries(const Case& c, const Way& way, std::uint32_t most) {
  Rng rng(lodestar::mix64(way.seed ^ 0x9e3779));
  if (way.has_model() || way.method->door == Door::kAlternatives) most = std::min(most, 24u);
  std::uint32_t sources = std::min(c.nodes, std::max(1u, most / c.nodes));
  std::uint32_t targets = std::min(c.nodes, most);
  if (!c.small()) sources = 1, targets = 2;
  std::vector<lodestar::NodeId> order(c.small() ? c.nodes : 0);
  for (std::uint32_t v = 0; v < order.size(); ++v) {
    const std::uint32_t at = rng.below(v + 1);
    order[v] = order[at];
    order[at] = v;
  }
  std::vector<Query> queries;
  for (std::uint32_t s = 0; s < sources; ++s) {
    const lodestar::NodeId source = order.empty() ? rng.below(c.nodes) : order[s];
    const std::uint32_t first = rng.below(c.nodes);
    for (std::uint32_t t = 0; t < targets; ++t) {
      queries.push_back(
          {source, order.empty() ? rng.below(c.nodes) : order[(first + t) % c.nodes]});
    }
  }
  return queries;
}

struct Outcome {
  std::string wrong;  // empty if all answers are right
  std::uint64_t answers = 0;
  bool refused = false;  // the configuration was rejected
};

Outcome try_way(const Case& c, const Way& way, const std::vector<Query>& queries, Judge& judge) {
  std::unique_ptr<Trial> trial;
  try {
    trial = make_trial(c, way);
  } catch (const lodestar::Error&) {
    return {{}, 0, true};
  }
  try {
    std::string wrong = trial->check(queries, judge);
    return {std::move(wrong), trial->answers(), false};
  } catch (const std::exception& error) {
    return {std::string("throws: ") + error.what(), 0, false};
  }
}

std::string what_is_wrong(const Case& c, const Way& way, const std::vector<Query>& queries) {
  Judge judge(c);
  return try_way(c, way, queries, judge).wrong;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void work(Progress& progress, const Plan& plan) {
  RunState& state = progress.state;
  const double before = state.seconds;
  double saved = 0;
  const auto keep = [&] {
    state.seconds = before + processor_seconds();
    saved = processor_seconds();
    if (!plan.state.empty()) save(state, plan.state);
  };
  while (state.sum() < plan.answers && progress.stop == 0) {
    const std::uint64_t g = state.next;
    const Case c = draw(g, kRarity);
    Judge judge(c);
    progress.graph_seed = g;
    RunState ahead = state;
    for (std::size_t row = 0; row < methods().size(); ++row) {
      const Method& method = methods()[row];
      if (method.door != Door::kAlgorithm && !c.small()) continue;
      // Contracting a dense graph takes longer than all queries of all methods.
      const bool slow = method.contracts() && c.arcs.size() > 400;
      if (lodestar::mix64(g + row) % (slow ? 8 * method.every : method.every) != 0) continue;
      progress.method = row;
      progress.way_seed = g ^ row;
      const Way way = draw_way(c, row, g ^ row);
      allow(kPatience);
      const Outcome outcome = try_way(c, way, draw_queries(c, way, plan.queries), judge);
      if (!outcome.wrong.empty()) {
        std::strncpy(progress.wrong, outcome.wrong.c_str(), sizeof progress.wrong - 1);
        std::_Exit(1);
      }
      ahead.answers[row] += outcome.answers;
      ahead.refused[row] += outcome.refused;
    }
    ++ahead.graphs;
    ++ahead.next;
    state = ahead;
    if (processor_seconds() > saved + 2) keep();
  }
  keep();
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
    return !ends_well([&] { return what_is_wrong(smaller, way, fewer).empty(); }, 10);
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

int report_failure(const Progress& progress, const Plan& plan, const std::string& how) {
  Case c = draw(progress.graph_seed, kRarity);
  const Way way = draw_way(c, progress.method, progress.way_seed);
  std::vector<Query> queries = draw_queries(c, way, plan.queries);
  std::printf("FAILED (%s): %s\n%s\nmaking it smaller …\n", how.c_str(), way.text().c_str(),
              progress.wrong);
  std::fflush(stdout);
  if (c.small()) minimise(c, way, queries);
  const std::string wrong = how == "wrong answer" ? what_is_wrong(c, way, queries) : how;
  std::printf("%s\n%s", wrong.c_str(), c.small() ? c.text().c_str() : "a long chain\n");
  for (const Query query : queries) std::printf("query %u -> %u\n", query.source, query.target);
  return 1;
}

void show(const RunState& state) {
  std::printf("%s\n%llu answers on %llu graphs, %llu wrong, %llu hung, %.0f s of processor time\n",
              state.table().c_str(), static_cast<unsigned long long>(state.sum()),
              static_cast<unsigned long long>(state.graphs),
              static_cast<unsigned long long>(state.wrong),
              static_cast<unsigned long long>(state.hung), state.seconds);
}

Progress* shared_progress = nullptr;

int watch(const Plan& plan) {
  if (methods().size() > RunState::kMost) std::abort();
  void* memory =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  Progress& progress = *(shared_progress = new (memory) Progress);
  progress.state.seed = plan.seed;
  progress.state.next = plan.seed * 1'000'000'007;
  if (!plan.state.empty() && std::filesystem::exists(plan.state)) {
    progress.state = load_state(plan.state);
    if (progress.state.seed != plan.seed) {
      throw lodestar::Error(plan.state + " is the state of a run with another seed");
    }
  }
  std::fflush(nullptr);
  const pid_t worker = fork();
  if (worker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // end with the parent process
    signal(SIGINT, SIG_IGN);           // the supervisor says when
    work(progress, plan);
  }
  for (const int number : {SIGINT, SIGTERM}) {
    signal(number, [](int) { shared_progress->stop = 1; });
  }
  int status = 0;
  while (waitpid(worker, &status, 0) < 0) {
  }
  const bool well = progress.done && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  RunState& state = progress.state;
  if (!well) {
    ++(is_hang(status) ? state.hung : state.wrong);
    state.next = progress.graph_seed + 1;
    if (!plan.state.empty()) save(state, plan.state);
  }
  show(state);
  if (well) return state.wrong + state.hung == 0 ? 0 : 1;
  return report_failure(progress, plan,
                        is_hang(status)       ? "hangs"
                        : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                              : "wrong answer");
}

int run(int count, char** arguments) {
  Plan plan;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--show" && i + 1 < count) {
      RunState all;
      while (++i < count) all.add(load_state(arguments[i]));
      show(all);
      return all.wrong + all.hung == 0 ? 0 : 1;
    }
    const char* value = i + 1 < count ? arguments[++i] : nullptr;
    if (value != nullptr && name == "--answers") {
      plan.answers = std::strtoull(value, nullptr, 10);
    } else if (value != nullptr && name == "--seed") {
      plan.seed = std::strtoull(value, nullptr, 10);
    } else if (value != nullptr && name == "--queries") {
      plan.queries = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (value != nullptr && name == "--resume") {
      plan.state = value;
    } else {
      std::printf(
          "usage: adversary [--answers N] [--seed S] [--queries Q] [--resume FILE]\n"
          "       adversary --show FILE…\n");
      return name == "--help" ? 0 : 2;
    }
  }
  std::printf("lodestar %s (%s), adversary --answers %llu --seed %llu --queries %u\n",
              lodestar::kVersion, lodestar::kCommit, static_cast<unsigned long long>(plan.answers),
              static_cast<unsigned long long>(plan.seed), plan.queries);
  return watch(plan);
}

}  // namespace
}  // namespace adversary

int main(int count, char** arguments) {
  try {
    return adversary::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "adversary: %s\n", error.what());
    return 2;
  }
}
