// The server as clients meet it: polite ones, slow ones, many at once, and those who mean harm.
#include "apps/server/server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "running_server.h"
#include "scratch_folder.h"

namespace lodestar::server::server_test {
namespace {

TEST(Server, AnswersAndKeepsTheConnection) {
  const ScratchFolder folder;
  {
    Running running({}, quiet_options(true), folder / "access.log");
    Client client = running.client();
    for (int i = 0; i < 3; ++i) {
      const std::string answer = client.get("/route/v1/nodes/3;500?overview=false");
      ASSERT_EQ(status_of(answer), 200) << answer;
      EXPECT_NE(answer.find("X-Weights-Version: 0"), std::string::npos);
      EXPECT_NE(answer.find("\"optimal\":true"), std::string::npos);
    }
    EXPECT_EQ(status_of(client.get("/table/v1/nodes/1;2;3")), 200);  // on another thread
    const std::string head =
        client.ask("HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(status_of(head), 200);
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
    Client posting = running.client();
    const std::string body = R"({"nodes": ["1", "500"]})";
    EXPECT_EQ(status_of(posting.ask("POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                                    std::to_string(body.size()) + "\r\n\r\n" + body)),
              200);
    EXPECT_EQ(status_of(posting.ask("POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\n"
                                    "Transfer-Encoding: chunked\r\n\r\n17\r\n" +
                                    body + "\r\n0\r\n\r\n")),
              200);
  }
  std::istringstream log(folder.read("access.log"));
  std::size_t lines = 0;
  for (std::string line; std::getline(log, line); ++lines) {
    const auto entry = nlohmann::json::parse(line);
    EXPECT_EQ(entry["status"], 200);
    EXPECT_EQ(entry["client"], "127.0.0.1");
    EXPECT_TRUE(entry.contains("seconds"));
  }
  EXPECT_EQ(lines, 7u);
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) {
  Running running;
  Client client = running.client();
  std::string many;
  for (int i = 0; i < 200; ++i) {
    const std::string places = i % 3 == 0 ? "/table/v1/nodes/1;" : "/route/v1/nodes/1;";
    many += "GET " + places + std::to_string(i + 2) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  ASSERT_TRUE(client.send(many));
  for (int i = 0; i < 200; ++i) {
    const std::string answer = client.receive();
    ASSERT_EQ(status_of(answer), 200) << i;
    EXPECT_NE(answer.find("\"name\":\"" + std::to_string(i + 2) + "\""), std::string::npos) << i;
  }
}

TEST(Server, GarbageEndsOneConnectionOnly) {
  Running running;
  for (const std::string& rude :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), std::string("GET\r\n\r\n"),
        std::string("GET /health HTTP/9.9\r\n\r\n"), std::string("\0\0\0\0\r\n\r\n", 8),
        std::string("GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n"),
        std::string(
            "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        std::string(
            "POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        std::string(
            "POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n"
            "\r\n12345"),
        std::string("GET /health HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n"),
        std::string("GET /route/v1/nodes/\xff\xfe;1 HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET /health HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n")}) {
    Client client = running.client();
    client.send(rude);
    client.finish();
    EXPECT_TRUE(client.ends_within(5)) << rude;
  }
  EXPECT_TRUE(running.alive());
}

TEST(Server, LongHeadersUrlsAndBodiesAreRefused) {
  Running running;
  const auto status = [&](const std::string& request) {
    Client client = running.client();
    return status_of(client.ask(request));
  };
  EXPECT_EQ(status("GET /health HTTP/1.1\r\nHost: x\r\nX: " + std::string(9000, 'x') + "\r\n\r\n"),
            431);
  EXPECT_EQ(status("GET /" + std::string(7000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n"), 414);
  EXPECT_EQ(status("POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"),
            413);
  EXPECT_EQ(status("GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"), 413);
  EXPECT_EQ(status("POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"), 403);
  // Chunks announce nothing; what they come to is counted.
  Client chunks = running.client();
  chunks.send("POST /route/v1/nodes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "4000\r\n" + std::string(0x4000, '[') + "\r\n";
  for (int i = 0; i < 30 && chunks.send(chunk); ++i) {
  }
  EXPECT_EQ(status_of(chunks.receive()), 413);
  EXPECT_TRUE(running.alive());
}

// As HTTP/1.1 wants it: a proxy and the server behind it must not see two different hosts.
TEST(Server, OneHostIsRequired) {
  Running running;
  const auto status = [&](const std::string& headers, const std::string& version = "1.1") {
    Client client = running.client();
    return status_of(client.ask("GET /health HTTP/" + version + "\r\n" + headers + "\r\n"));
  };
  EXPECT_EQ(status("Host: x\r\n"), 200);
  EXPECT_EQ(status("Host:\r\n"), 200);
  EXPECT_EQ(status(""), 400);
  EXPECT_EQ(status("Host: x\r\nHost: x\r\n"), 400);
  EXPECT_EQ(status("Host: x\r\nAccept: *\r\nhOST: y\r\n"), 400);
  EXPECT_EQ(status("", "1.0"), 200);
  EXPECT_EQ(status("Host: x\r\nHost: y\r\n", "1.0"), 400);
}

TEST(Server, VersionIsNamedOnlyWhereWeightsWereUsed) {
  Running running;
  ASSERT_EQ(post(running.service(), "/weights", R"({"updates": [{"arc": 0, "weight": 3}]})").status,
            200);
  const auto has = [&](const std::string& target, const std::string& header) {
    Client client = running.client();
    return client.get(target).find(header) != std::string::npos;
  };
  for (const char* target : {"/", "/index.html", "/nothing", "/viewer/nothing", "/route/v1/%zz"}) {
    EXPECT_FALSE(has(target, "X-Weights-Version")) << target;
  }
  for (const char* target :
       {"/route/v1/nodes/3;500", "/table/v1/nodes/3;500", "/health", "/weights", "/metrics",
        "/viewer/graph", "/route/v1/nodes/3;unknown"}) {
    EXPECT_TRUE(has(target, "X-Weights-Version: 1\r\n")) << target;
  }
}

// 200 MB without a newline must not end up in memory.
TEST(Server, AStreamWithoutEndIsCutOff) {
  Running running;
  const std::uint64_t before = resident_bytes();
  Client client = running.client();
  const std::string block(1 << 20, 'a');
  int sent = 0;
  while (sent < 200 && client.send(block)) ++sent;
  EXPECT_LT(sent, 200);
  EXPECT_LT(resident_bytes(), before + (32u << 20));
  EXPECT_TRUE(running.alive());
}

TEST(Server, IdleHalfRequestsCostNothing) {
  ServerOptions options;
  options.idle_seconds = 1;
  Running running(options);
  const std::uint64_t before = resident_bytes();
  std::vector<Client> idle;
  for (int i = 0; i < 500; ++i) {
    idle.push_back(running.client());
    ASSERT_TRUE(idle.back().connected());
    idle.back().send("GET /route/v1/nodes/1;2 HTTP/1.1\r\nHost: ");
  }
  EXPECT_TRUE(running.alive());
  EXPECT_LT(resident_bytes(), before + (64u << 20));
  // … and are closed when their time is up, whether they send a letter now and then or not.
  for (int i = 0; i < 10; ++i) {
    idle[0].send("x");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_TRUE(idle[0].ends_within(5));
  EXPECT_TRUE(idle[499].ends_within(5));
  EXPECT_TRUE(running.alive());
}

TEST(Server, TooManyConnectionsAreTurnedAway) {
  ServerOptions options;
  options.connections = 8;
  Running running(options);
  std::vector<Client> clients;
  int turned_away = 0;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(running.client());
    turned_away += status_of(clients.back().get("/health")) == 503;
  }
  EXPECT_EQ(turned_away, 12);
  clients.clear();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(running.alive());
}

// More work than the queue holds is refused at once; quick answers go on.
TEST(Server, OverloadIsSaid) {
  ServerOptions options;
  options.queue = 2;
  ServiceOptions service = quiet_options(true);
  service.limits.cells = 250'000;
  service.limits.seconds = 300;  // on a busy machine, too
  Running running(options, std::move(service));
  std::string table = R"({"nodes": [)";
  for (int i = 0; i < 400; ++i) table += (i ? "," : "") + std::to_string(i);
  table += "]}";
  const std::string request = "POST /table/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                              std::to_string(table.size()) + "\r\n\r\n" + table;
  std::vector<Client> clients;
  for (int i = 0; i < 24; ++i) {
    clients.push_back(running.client());
    clients.back().send(request);
  }
  EXPECT_TRUE(running.alive());
  int busy = 0, fine = 0;
  for (Client& client : clients) {
    const int status = status_of(client.receive(120));
    busy += status == 503;
    fine += status == 200;
  }
  EXPECT_EQ(busy + fine, 24);
  EXPECT_GT(busy, 0);
  EXPECT_GT(fine, 1);
  EXPECT_TRUE(running.alive());
}

TEST(Server, ClosedConnectionsAreNotCountedAsOpen) {
  Running running;
  Client asking = running.client();
  const auto open = [&] {
    const std::string metrics = asking.get("/metrics");
    const std::string name = "\nlodestar_connections ";
    return std::stoi(metrics.substr(metrics.find(name) + name.size()));
  };
  EXPECT_EQ(open(), 1);
  {
    Client one = running.client(), other = running.client();
    one.get("/health");
    other.get("/health");
    EXPECT_EQ(open(), 3);
  }
  for (int i = 0; i < 100 && open() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(open(), 1);
}

TEST(Server, DrainsWhenItEnds) {
  Running running;
  std::string table = R"({"nodes": [)";
  for (int i = 0; i < 100; ++i) table += (i ? "," : "") + std::to_string(i);
  table += "]}";
  Client working = running.client(), idle = running.client();
  idle.get("/health");
  working.send("POST /table/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: " +
               std::to_string(table.size()) + "\r\n\r\n" + table);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::thread ending([&] { running.stop(); });
  const std::string answer = working.receive(60);
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_TRUE(idle.ends_within(5));
  ending.join();
  EXPECT_FALSE(running.client().connected());
}

TEST(Server, UsersOfTheUnixSocketMayChangeWeights) {
  const ScratchFolder folder;
  ServerOptions options;
  options.socket = folder / "admin.sock";
  Running running(options);
  struct stat facts {};
  ASSERT_EQ(::stat(options.socket.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  const std::string body = R"({"updates": [{"arc": 0, "weight": 3}]})";
  const std::string request =
      "POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  Client outside = running.client();
  EXPECT_EQ(status_of(outside.ask(request)), 403);
  Client inside{options.socket};
  EXPECT_EQ(status_of(inside.ask(request)), 200);
  EXPECT_EQ(running.service().live().now()->version, 1u);
  const std::string expecting =
      "POST /weights HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  inside.send(expecting);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  inside.send(body);
  EXPECT_NE(inside.receive(1).find("100 Continue"), std::string::npos);
}

// New weights may be far larger than a routing request: a city's are megabytes.
TEST(Server, LargeUpdatesAreTakenFromThoseWhoMaySendThem) {
  const ScratchFolder folder;
  ServerOptions options;
  options.socket = folder / "admin.sock";
  Running running(options);
  std::string body = R"({"updates": [{"arc": 0, "weight": 3})";
  while (body.size() < 2 * Limits().body_bytes) body += R"(, {"arc": 1, "weight": 5})";
  body += "]}";
  const std::string stated =
      "POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  Client inside{options.socket};
  EXPECT_EQ(status_of(inside.ask(stated)), 200);
  Client outside = running.client();
  EXPECT_EQ(status_of(outside.ask(stated)), 403);
  std::stringstream chunked;
  chunked << "POST /weights HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          << std::hex << body.size() << "\r\n"
          << body << "\r\n0\r\n\r\n";
  EXPECT_EQ(status_of(inside.ask(chunked.str())), 200);
  EXPECT_EQ(running.service().live().now()->version, 2u);
  Client huge{options.socket};
  EXPECT_EQ(
      status_of(huge.ask("POST /weights HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n")),
      413);
}

}  // namespace
}  // namespace lodestar::server::server_test
