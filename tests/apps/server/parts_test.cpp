// The small parts of the server: JSON as text, the access log, metrics, the queue of jobs.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "apps/server/access_log.h"
#include "apps/server/job_queue.h"
#include "apps/server/json_text.h"
#include "apps/server/limits.h"
#include "apps/server/metrics.h"
#include "apps/server/server.h"
#include "full_disk.h"
#include "lodestar/types.h"
#include "scratch_folder.h"

namespace lodestar::server::parts_test {
namespace {

using nlohmann::json;

// As the guide has them.
TEST(ServerDefaults, AreTheDocumentedOnes) {
  EXPECT_EQ(ServerOptions().port, 5000);
  EXPECT_EQ(ServerOptions().host, "127.0.0.1");
}

TEST(JsonTexts, EveryKindOfValue) {
  JsonText out;
  out.open('{').key("a").open('[').number(1.5).number(kInfinity).number(-0.25).close(']');
  out.key("b").open('[').close(']').key("c").truth(true).key("d").truth(false).key("e").null();
  out.key("f").whole(18446744073709551615u).key("g").raw("[1]").close('}');
  EXPECT_EQ(out.take(), R"({"a":[1.5,null,-0.25],"b":[],"c":true,"d":false,"e":null,)"
                        R"("f":18446744073709551615,"g":[1]})");
}

TEST(JsonTexts, TextsAreEscaped) {
  for (const std::string& text :
       {std::string(), std::string("plain ~"), std::string("\"quoted\""), std::string("a\\b"),
        std::string("tab\t"), std::string("\x1f"), std::string("\x7f"), std::string("Zürich"),
        std::string(1, '\0')}) {
    JsonText out;
    out.open('[').text(text).text("x").close(']');
    const json parsed = json::parse(out.out());
    EXPECT_EQ(parsed[0], text);
    EXPECT_EQ(parsed[1], "x");
    EXPECT_TRUE(is_utf8(text));
  }
  JsonText out;
  out.text("\xff");
  EXPECT_EQ(json::parse(out.out()), "\xef\xbf\xbd");
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xc3"));
}

TEST(JsonTexts, RoundedNumbers) {
  const auto text = [](double value, int digits) {
    JsonText out;
    out.rounded(value, digits);
    return out.take();
  };
  EXPECT_EQ(text(1.23456, 2), "1.23");
  EXPECT_EQ(text(-1.235, 1), "-1.2");
  EXPECT_EQ(text(7, 6), "7");
  EXPECT_EQ(text(0.1234564, 6), "0.123456");
  EXPECT_EQ(text(1e18 + 0.5, 1), "1e+18");  // as it is
  EXPECT_EQ(text(kInfinity, 3), "null");
}

TEST(AccessLogs, OneLineARequest) {
  const ScratchFolder folder;
  Reply reply;
  reply.body = "12345";
  reply.code = "Ok";
  reply.expansions = 9;
  {
    AccessLog log(folder / "log");
    log.add("10.0.0.1", "GET", "/health", reply, 0.25);
    reply.version = 3;
    reply.status = 404;
    log.add("unix", "POST", std::string(600, 'x'), reply, 1e-7);
    log.flush();
    const std::string text = folder.read("log");
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    const json first = json::parse(text.substr(0, text.find('\n')));
    const json second = json::parse(text.substr(text.find('\n')));
    EXPECT_EQ(first["client"], "10.0.0.1");
    EXPECT_EQ(first["method"], "GET");
    EXPECT_EQ(first["target"], "/health");
    EXPECT_EQ(first["status"], 200);
    EXPECT_EQ(first["code"], "Ok");
    EXPECT_EQ(first["seconds"], 0.25);
    EXPECT_EQ(first["bytes"], 5);
    EXPECT_EQ(first["expansions"], 9);
    EXPECT_FALSE(first.contains("version"));
    EXPECT_EQ(first["time"].get<std::string>().size(), 27u);
    EXPECT_EQ(second["version"], 3);
    EXPECT_EQ(second["status"], 404);
    EXPECT_EQ(second["seconds"], 0);
    EXPECT_EQ(second["target"].get<std::string>().size(), 500u);
    // Rotated: what follows goes to a new file.
    std::filesystem::rename(folder / "log", folder / "log.1");
    log.add("unix", "GET", "/a", reply, 0);
    EXPECT_TRUE(log.reopen());
    log.add("unix", "GET", "/b", reply, 0);
  }
  EXPECT_NE(folder.read("log.1").find("\"/a\""), std::string::npos);
  EXPECT_NE(folder.read("log").find("\"/b\""), std::string::npos);
  EXPECT_EQ(folder.read("log").find("\"/a\""), std::string::npos);
}

TEST(AccessLogs, ManyLinesAreWrittenInBlocks) {
  const ScratchFolder folder;
  AccessLog log(folder / "log");
  for (int i = 0; i < 150; ++i) log.add("unix", "GET", std::string(500, 'x'), {}, 0);
  EXPECT_GE(folder.read("log").size(), 64u << 10);
}

TEST(AccessLogs, NoFileAndFilesThatCannotBeOpened) {
  const ScratchFolder folder;
  {
    AccessLog none("");
    none.add("unix", "GET", "/", {}, 0);
    none.flush();
    EXPECT_TRUE(none.reopen());
    AccessLog standard_error("-");
    EXPECT_TRUE(standard_error.reopen());
  }
  EXPECT_THROW(AccessLog(folder / "no/such/log"), Error);
  std::filesystem::create_directory(folder / "inner");
  AccessLog log(folder / "inner/log");
  std::filesystem::rename(folder / "inner", folder / "moved");
  EXPECT_FALSE(log.reopen());  // and the old file stays
  log.add("unix", "GET", "/after", {}, 0);
  log.flush();
  EXPECT_NE(folder.read("moved/log").find("/after"), std::string::npos);
  // A full disk loses lines, and nothing else.
  {
    const testing::FullDisk full(folder.read("moved/log").size());
    log.add("unix", "GET", "/lost", {}, 0);
    log.flush();
  }
  log.add("unix", "GET", "/again", {}, 0);
  log.flush();
  EXPECT_EQ(folder.read("moved/log").find("/lost"), std::string::npos);
  EXPECT_NE(folder.read("moved/log").find("/again"), std::string::npos);
}

TEST(MetricsTexts, CountsByServiceStatusAndTime) {
  Metrics metrics;
  metrics.count("route", 200, 60e-6, 5);
  metrics.count("route", 200, 50e-6, 2);
  metrics.count("route", 400, 100, 0);
  metrics.count("nonsense", 299, -1, 0);
  metrics.connection_opened();
  metrics.connection_opened();
  metrics.connection_closed();
  metrics.overloaded();
  metrics.timed_out();
  metrics.timed_out();
  metrics.gave_up();
  const std::string text = metrics.text({{.name = "car",
                                          .version = 3,
                                          .generation = 2,
                                          .has_index = true,
                                          .index_age_seconds = 1.5,
                                          .journal_bytes = 20},
                                         {.name = ""}},
                                        4096, 77);
  for (const char* line : {"lodestar_requests_total{service=\"route\",status=\"200\"} 2\n",
                           "lodestar_requests_total{service=\"route\",status=\"400\"} 1\n",
                           "lodestar_requests_total{service=\"other\",status=\"other\"} 1\n",
                           "lodestar_request_seconds_bucket{service=\"route\",le=\"5e-05\"} 1\n",
                           "lodestar_request_seconds_bucket{service=\"route\",le=\"0.0001\"} 2\n",
                           "lodestar_request_seconds_bucket{service=\"route\",le=\"10\"} 2\n",
                           "lodestar_request_seconds_bucket{service=\"route\",le=\"+Inf\"} 3\n",
                           "lodestar_request_seconds_count{service=\"route\"} 3\n",
                           "lodestar_request_seconds_sum{service=\"other\"} 0\n",
                           "lodestar_expansions_total{service=\"route\"} 7\n",
                           "# HELP lodestar_connections Open connections.\n"
                           "# TYPE lodestar_connections gauge\n"
                           "lodestar_connections 1\n",
                           "lodestar_connections_total 2\n",
                           "lodestar_overloaded_total 1\n",
                           "lodestar_timeouts_total 2\n",
                           "lodestar_unread_closed_total 1\n",
                           "lodestar_unread_bytes 77\n",
                           "lodestar_weights_version{graph=\"car\"} 3\n",
                           "lodestar_weights_version 0\n",
                           "lodestar_index{graph=\"car\"} 1\n",
                           "lodestar_index 0\n",
                           "lodestar_index_generation{graph=\"car\"} 2\n",
                           "lodestar_index_age_seconds{graph=\"car\"} 1.5\n",
                           "lodestar_journal_bytes{graph=\"car\"} 20\n",
                           "process_resident_memory_bytes 4096\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_EQ(text.find("service=\"table\""), std::string::npos);
  EXPECT_GT(resident_bytes(), 1u << 20);
}

TEST(JobQueues, TakesSoManyAndNoMore) {
  JobQueue jobs(0, 2);  // one thread
  std::promise<void> begun, go;
  std::atomic<int> done = 0;
  ASSERT_TRUE(jobs.add([&] {
    begun.set_value();
    go.get_future().wait();
    ++done;
  }));
  begun.get_future().wait();
  std::promise<void> last;
  EXPECT_TRUE(jobs.add([&] { ++done; }));
  EXPECT_TRUE(jobs.add([&] {
    ++done;
    last.set_value();
  }));
  EXPECT_FALSE(jobs.add([&] { done = 100; }));
  go.set_value();
  last.get_future().wait();
  EXPECT_EQ(done, 3);
  jobs.end();
  EXPECT_FALSE(jobs.add([&] { done = 100; }));
  jobs.end();
  EXPECT_EQ(done, 3);
}

TEST(JobQueues, EndDropsWhatWaits) {
  std::atomic<int> done = 0;
  std::promise<void> begun, go;
  JobQueue jobs(1, std::size_t{1} << 30);  // never full
  jobs.add([&] {
    begun.set_value();
    go.get_future().wait();
    ++done;
  });
  begun.get_future().wait();
  jobs.add([&] { done = 100; });
  std::thread ender([&] { jobs.end(); });
  while (jobs.add([] {})) std::this_thread::yield();  // until it has begun to end
  go.set_value();
  ender.join();
  EXPECT_EQ(done, 1);
}

TEST(Deadlines, TimeAndExpansions) {
  Limits limits;
  limits.expansions = 10;
  Deadline deadline(limits);
  deadline.check();
  deadline.spend(4);
  deadline.spend(6);
  EXPECT_EQ(deadline.spent(), 10u);
  EXPECT_THROW(deadline.spend(1), Refusal);
  limits.seconds = -1;
  Deadline late(limits);
  EXPECT_THROW(late.check(), Refusal);
  for (int i = 1; i < 1024; ++i) late.step();
  EXPECT_THROW(late.step(), Refusal);
}

TEST(Bodies, CountUntilTheyAreGone) {
  HeldBytes held = 0;
  auto body = std::make_shared<SharedBody>(std::string(1000, 'x'));
  EXPECT_FALSE(body->retired());
  Reply reply;
  reply.body = "own";
  EXPECT_EQ(reply.content(), "own");
  reply.constant = "constant";
  EXPECT_EQ(reply.content(), "constant");
  reply.shared = body;
  EXPECT_EQ(reply.content().size(), 1000u);
  body->retire(held);
  EXPECT_TRUE(body->retired());
  body.reset();
  EXPECT_GE(held, 1000u);
  reply = {};
  EXPECT_EQ(held, 0u);
}

}  // namespace
}  // namespace lodestar::server::parts_test
