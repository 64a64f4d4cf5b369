// Every verb under pressure: interrupted by SIGINT and SIGTERM, and with little memory. It ends
// soon, says why, and leaves whole files or none. With LODESTAR_FULL_SIZE in the environment the
// graph has 1.2 million nodes, and figures are printed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/potential_family.h"
#include "lodestar/potentials.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::pressure_test {
namespace {

namespace fs = std::filesystem;

// Sanitizers make everything slower, and look for leaks at the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr double kPatience = 5;
#else
constexpr double kPatience = 0.25;
#endif

bool full_size() {
  return std::getenv("LODESTAR_FULL_SIZE") != nullptr;
}

// Processor time of a running process, in steps of 10 ms; negative if it has ended.
double processor_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return -1;
  std::istringstream fields(text.substr(end + 2));
  std::string state, skipped;
  fields >> state;
  if (state == "Z") return -1;
  for (int i = 0; i < 10; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

struct Ended {
  int status = 0;      // exit code, or minus the signal
  double late = 0;     // processor seconds after the signal
  bool early = false;  // it ended before the signal
};

// Runs the program, and sends it the signal once it has worked for so many seconds.
Ended interrupt(const std::vector<std::string>& arguments, int signal, double after) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> argv = {const_cast<char*>("lodestar")};
    for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execv(LODESTAR_BINARY, argv.data());
    ::_exit(126);
  }
  Ended ended;
  double used = 0;
  for (int i = 0; i < 20'000 && used >= 0 && used < after; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    used = processor_seconds(child);
  }
  ended.early = used < 0;
  if (!ended.early) ::kill(child, signal);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  ended.late = seconds(usage.ru_utime) + seconds(usage.ru_stime) - used;
  return ended;
}

struct Verb {
  std::string name;
  std::vector<std::string> arguments;
  bool keeps = false;  // a signal ends the training, and the best so far is saved
  bool serves = false;
};

class Pressure : public ::testing::Test {
 protected:
  void make_graph(NodeId nodes) {
    ASSERT_EQ(
        testing::run_program("generate road -n " + std::to_string(nodes) + " -o " + graph_).status,
        0);
    fs::create_directory(folder_ / "out");
    std::string queries;
    const NodeId named = nodes / 2;  // the graph has about so many nodes as asked for
    for (NodeId i = 1; i < 20'000; ++i) {
      queries += std::to_string(i % named + 1) + "\t" + std::to_string(7919 * i % named + 1) + "\n";
    }
    folder_.write("q.tsv", queries);
  }
  std::string out(const std::string& name) const { return folder_ / ("out/" + name); }

  // `seconds` is the limit of the verbs that have one.
  std::vector<Verb> verbs(const std::string& seconds, const std::string& nodes) const {
    return {
        {"generate", {"generate", "road", "-n", nodes, "-o", out("n.lsg")}},
        {"convert", {"convert", graph_, out("g.gr.xz")}},
        {"info", {"info", graph_}},
        {"index", {"index", graph_, "--seconds", seconds, "-o", out("g.lsi")}, true},
        {"index --labels", {"index", graph_, "--labels", "-o", out("g.lsi")}, true},
        {"fit", {"fit", graph_, "--seconds", seconds, "-o", out("g.lsp")}, true},
        {"fit --metrics",
         {"fit", graph_, "--metrics", "length", "--seconds", seconds, "-o", out("g.lsp")},
         true},
        {"solve", {"solve", graph_, "--algorithm", "dijkstra", "--queries", folder_ / "q.tsv"}},
        {"matrix", {"matrix", graph_, "--sources", "all", "-o", out("m.npy")}},
        {"isochrone", {"isochrone", graph_, "--from", "1", "--limits", "1e6", "-o", out("i.json")}},
        {"predict", {"predict", graph_, "--from", "1", "--to", "2", "-o", out("y.txt")}},
        {"view", {"view", graph_, "-o", out("v.html")}},
        {"certify", {"certify", graph_, "--heuristic", "zero", "--samples", "100000"}},
        {"bench static", {"bench", "static", graph_, "--seconds", seconds, "-o", out("b")}},
        {"serve", {"serve", graph_, "--port", "0", "--socket", folder_ / "s"}, false, true},
    };
  }

  // What a verb left behind can be read; nothing else is there.
  void check_files(const Verb& verb) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
      const std::string path = entry.path().string();
      EXPECT_EQ(path.find(".tmp-"), std::string::npos) << path;
      if (!verb.keeps) continue;
      const Graph graph = read_graph(graph_).graph;
      if (path.ends_with(".lsi")) {
        EXPECT_EQ(Index::open(path, graph).facts().nodes, graph.node_count());
      } else if (verb.name == "fit") {
        EXPECT_TRUE(Potentials::load(path).verify(graph).feasible());
      } else {
        PotentialFamily::load(path).require_fit(graph);
      }
    }
  }
  void clear() const {
    fs::remove_all(folder_ / "out");
    fs::create_directory(folder_ / "out");
  }

  const ScratchFolder folder_;
  const std::string graph_ = folder_ / "g.lsg";
};

TEST_F(Pressure, SignalsEndEveryVerbSoon) {
  make_graph(full_size() ? 1'200'000 : 40'000);
  for (const Verb& verb : verbs("60", "3000000")) {
    for (const int signal : {SIGINT, SIGTERM}) {
      for (const double after :
           full_size() ? std::vector<double>{0.1, 1, 3} : std::vector<double>{0.05}) {
        SCOPED_TRACE(verb.name + ", signal " + std::to_string(signal));
        // A verb may end by itself just before the signal reaches it: once more then.
        Ended ended = interrupt(verb.arguments, signal, after);
        for (int i = 0; i < 3 && !ended.early && ended.status == 0 && !verb.keeps && !verb.serves;
             ++i) {
          clear();
          ended = interrupt(verb.arguments, signal, after);
        }
        if (full_size()) {
          std::printf("| %s | %s | %.2f s | %s |\n", verb.name.c_str(),
                      signal == SIGINT ? "SIGINT" : "SIGTERM", after,
                      ended.early ? "done before"
                                  : (std::to_string(ended.late).substr(0, 5) + " s").c_str());
        }
        if (ended.early) {
          EXPECT_EQ(ended.status, 0);
        } else {
          EXPECT_LT(ended.late, kPatience);
          if (verb.serves) {
            EXPECT_TRUE(ended.status == 0 || ended.status == -signal) << ended.status;
          } else if (verb.keeps) {
            // The best so far, or nothing yet; or the signal came when all was written.
            const bool written = !fs::is_empty(folder_ / "out");
            EXPECT_TRUE(written == (ended.status == 0) || ended.status == -signal) << ended.status;
          } else {
            EXPECT_EQ(ended.status, -signal);
          }
        }
        check_files(verb);
        clear();
      }
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // sanitizers need terabytes of addresses
TEST_F(Pressure, LittleMemoryIsSaid) {
  make_graph(full_size() ? 300'000 : 20'000);
  const auto limited = [](std::size_t kilobytes, const std::string& command) {
    return testing::run_command("ulimit -c 0; ulimit -v " + std::to_string(kilobytes) +
                                "; timeout 60 " + std::string(LODESTAR_BINARY) + " " + command +
                                " 2>&1 >/dev/null");
  };
  // What the program needs to say its version.
  std::size_t least = 8 << 10;
  while (limited(least, "--version").status != 0 && least < (1 << 20)) least += 4 << 10;
  std::size_t refused = 0;
  for (const Verb& verb : verbs("0.2", full_size() ? "300000" : "20000")) {
    if (verb.serves || verb.name == "predict" || verb.name == "certify") continue;
    if (!full_size() && verb.name == "bench static") continue;
    std::string command;
    for (const std::string& word : verb.arguments) command += word + " ";
    if (verb.name == "solve" || verb.name == "matrix") command += " --threads 1";
    for (const std::size_t more : full_size() ? std::vector<std::size_t>{0, 1, 2, 4, 8, 16}
                                              : std::vector<std::size_t>{0, 3}) {
      if (verb.name == "matrix" && more > 2) continue;  // long once it has enough
      SCOPED_TRACE(verb.name + ", " + std::to_string(more) + " MB");
      const testing::Outcome run = limited(least + (more << 10), command);
      if (run.status != 2) {  // enough memory; at 124 for a long job
        EXPECT_TRUE(run.status == 0 || run.status == 124) << run.status << " " << run.out;
        clear();
        continue;
      }
      ++refused;
      EXPECT_NE(run.out.find("memory"), std::string::npos) << run.out;
      check_files(verb);
      for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
        // The check of an index that is written already may be what needs too much.
        EXPECT_TRUE(entry.is_directory() || verb.name.starts_with("index")) << entry.path();
      }
      clear();
    }
    clear();
  }
  EXPECT_GT(refused, 8u);
  if (full_size()) std::printf("%zu runs ended for want of memory\n", refused);
}
#endif

}  // namespace
}  // namespace lodestar::pressure_test
