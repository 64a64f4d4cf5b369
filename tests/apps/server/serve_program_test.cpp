// `lodestar serve` as a process: killed, told to open its log again, told to end, given wrong
// files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "http_client.h"
#include "lodestar/graph_io.h"
#include "run_program.h"
#include "sample_service.h"
#include "scratch_folder.h"

namespace lodestar::server::serve_program_test {
namespace {

// Serves g.lsg of the folder without an index; what it says is in the file stderr.
class Program {
 public:
  Program(const ScratchFolder& folder, std::vector<std::string> options)
      : socket_(folder / "s"), child_(::fork()) {
    if (child_ != 0) return;
    const std::string program = testing::program_path();
    const std::string graph = folder / "g.lsg", said = folder / "stderr";
    std::vector<const char*> arguments = {
        program.c_str(), "serve", graph.c_str(), "--port", "0", "--socket", socket_.c_str()};
    for (const std::string& option : options) arguments.push_back(option.c_str());
    const auto has = [&](const char* name) {
      return std::find(options.begin(), options.end(), name) != options.end();
    };
    if (!has("--index")) arguments.push_back("--no-index");
    arguments.push_back(nullptr);
    const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDERR_FILENO);
    ::execv(program.c_str(), const_cast<char* const*>(arguments.data()));
    ::_exit(3);
  }
  ~Program() { end(SIGKILL); }

  // Waits until it listens.
  Client client() const {
    for (int i = 0;; ++i) {
      Client client(socket_);
      if (client.connected() || i == 600) return client;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  void send(int signal) const { ::kill(child_, signal); }
  // Its exit status, or minus the signal that ended it.
  int wait() {
    if (child_ <= 0) return 0;
    int status = 0;
    ::waitpid(std::exchange(child_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int end(int signal) {
    if (child_ > 0) send(signal);
    return wait();
  }

 private:
  std::string socket_;
  pid_t child_;
};

// The program itself, killed without warning again and again: no acknowledged update is lost.
TEST(ServeProgram, SurvivesKill9) {
  const ScratchFolder folder;
  const GraphFile file = sample_roads(300);
  write_graph(file, folder / "g.lsg");
  std::vector<Weight> weights = read_graph(folder / "g.lsg").graph.weights();
  std::uint64_t acknowledged = 0;
  Rng rng(6);
  for (int round = 0; round < 5; ++round) {
    Program program(folder, {"--state", folder / "w.lsj", "--log", "none"});
    Client client = program.client();
    ASSERT_TRUE(client.connected());
    const std::string state = client.get("/weights");
    EXPECT_NE(state.find("\"weights_version\":" + std::to_string(acknowledged)), std::string::npos)
        << state;
    const NodeId s = rng.below(file.graph.node_count()), t = rng.below(file.graph.node_count());
    const std::string answer =
        client.get("/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t));
    const auto route = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
    EXPECT_EQ(route["routes"][0]["weight"], dijkstra(file.graph.with_weights(weights), s, t));
    // Updates one after the other; then the end, with one under way.
    for (int i = 0; i < 6; ++i) {
      const ArcIndex arc = rng.below(static_cast<std::uint32_t>(weights.size()));
      const Weight weight = 1 + rng.below(1000);
      const std::string body =
          nlohmann::json{{"updates", {{{"arc", arc}, {"weight", weight}}}}}.dump();
      const std::string request =
          "POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n\r\n" + body;
      if (status_of(client.ask(request)) != 200) break;
      ++acknowledged;
      weights[arc] = weight;
    }
    program.end(SIGKILL);
  }
  EXPECT_EQ(acknowledged, 30u);
}

// As logrotate does it: rename, then SIGHUP. No connection may notice.
TEST(ServeProgram, SighupReopensTheLogAndDrainsNothing) {
  const ScratchFolder folder;
  write_graph(sample_roads(300), folder / "g.lsg");
  const std::string log = folder / "access.log", old = folder / "access.log.1";
  Program program(folder, {"--log", log});
  Client client = program.client();
  ASSERT_EQ(status_of(client.get("/route/v1/nodes/1;2")), 200);
  for (int round = 0; round < 3; ++round) {
    std::filesystem::rename(log, old);
    program.send(SIGHUP);
    ASSERT_TRUE(comes_true([&] { return std::filesystem::exists(log); })) << round;
    EXPECT_NE(folder.read("access.log.1").find("/route/v1/nodes/1;2"), std::string::npos);
    EXPECT_EQ(status_of(client.get("/route/v1/nodes/1;2")), 200) << "the same connection";
    EXPECT_NE(client.get("/health").find("\"status\":\"ok\""), std::string::npos);
    ASSERT_TRUE(
        comes_true([&] { return folder.read("access.log").find("/health") != std::string::npos; }));
  }
  // A folder in the way: the old file stays open, and answers go on.
  std::filesystem::rename(log, old);
  std::filesystem::create_directory(log);
  program.send(SIGHUP);
  ASSERT_TRUE(comes_true(
      [&] { return folder.read("stderr").find("cannot be opened again") != std::string::npos; }));
  EXPECT_EQ(status_of(client.get("/route/v1/nodes/7;8")), 200);
  ASSERT_TRUE(comes_true([&] {
    return folder.read("access.log.1").find("/route/v1/nodes/7;8") != std::string::npos;
  }));
  EXPECT_EQ(program.end(SIGTERM), 0);
  EXPECT_NE(folder.read("stderr").find("all requests finished"), std::string::npos);
}

TEST(ServeProgram, ADamagedJournalIsSaid) {
  const ScratchFolder folder;
  write_graph(sample_roads(300), folder / "g.lsg");
  const std::vector<std::string> state = {"--state", folder / "w.lsj", "--log", "none"};
  {
    Program program(folder, state);
    Client client = program.client();
    for (int i = 0; i < 3; ++i) {
      const std::string body =
          R"({"updates": [{"arc": )" + std::to_string(i) + R"(, "weight": 7}]})";
      ASSERT_EQ(status_of(client.ask("POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                                     std::to_string(body.size()) + "\r\n\r\n" + body)),
                200);
    }
    EXPECT_EQ(program.end(SIGTERM), 0);
  }
  const std::string whole = folder.read("w.lsj");
  const std::size_t record = (whole.size() - 20) / 3;
  const auto version = [&](std::vector<std::string> options) {
    Program program(folder, std::move(options));
    Client client = program.client();
    const std::string answer = client.get("/weights");
    EXPECT_EQ(program.end(SIGTERM), 0);
    return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4))["weights_version"];
  };
  // The last record.
  std::string damaged = whole;
  damaged.back() ^= 1;
  folder.write("w.lsj", damaged);
  EXPECT_EQ(version(state), 2);
  const std::string said = folder.read("stderr");
  EXPECT_NE(said.find("the last " + std::to_string(record) + " bytes"), std::string::npos) << said;
  EXPECT_NE(said.find("version 2"), std::string::npos) << said;
  EXPECT_EQ(folder.read("w.lsj.damaged"), damaged.substr(20 + 2 * record));
  // Damage in the middle is an error, and the file stays unchanged.
  damaged = whole;
  damaged[20 + record + 30] ^= 1;
  folder.write("w.lsj", damaged);
  EXPECT_EQ(Program(folder, state).wait(), 2);
  EXPECT_NE(folder.read("stderr").find("--cut-damaged-state"), std::string::npos);
  EXPECT_EQ(folder.read("w.lsj"), damaged);
  std::vector<std::string> cut = state;
  cut.push_back("--cut-damaged-state");
  EXPECT_EQ(version(cut), 1);
  EXPECT_EQ(folder.read("w.lsj.damaged-2"), damaged.substr(20 + record));
  EXPECT_EQ(version(state), 1);
}

TEST(ServeProgram, AnIndexWithoutPathsIsRefused) {
  const ScratchFolder folder;
  const GraphFile file = sample_roads(300);
  write_graph(file, folder / "g.lsg");
  IndexOptions options;
  options.rounds = 1;
  options.paths = false;
  Index::build(file.graph, options).save(folder / "g.lsi");
  EXPECT_EQ(Program(folder, {"--index", folder / "g.lsi"}).wait(), 2);
  EXPECT_NE(folder.read("stderr").find("without paths"), std::string::npos);
}

}  // namespace
}  // namespace lodestar::server::serve_program_test
