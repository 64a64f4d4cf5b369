// What happens when memory or the disk runs out: at each allocation of a small run of each entry
// point, and at each byte of each file format. An exception leaves, nothing leaks, and files are
// whole: the old one or the new one. By default a sample of the allocations and bytes fails, all of
// them with LODESTAR_EVERY_FAILURE in the environment. Each entry point is a test, so that
// --gtest_filter='*/NAME' repeats one of them; LODESTAR_EVERY_FAILURE=2/5 is the second fifth of
// the allocations.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <new>
#include <utility>

#include "full_disk.h"
#include "lodestar/fit.h"
#include "lodestar/generate.h"
#include "lodestar/graph_formats.h"
#include "lodestar/index.h"
#include "lodestar/router.h"
#include "scratch_folder.h"
#include "written_formats.h"

namespace {

std::atomic<std::int64_t> allocations_left{-1};  // negative: no limit
std::atomic<std::int64_t> live{0};

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left >= 0 && allocations_left-- == 0) {
    allocations_left = -1;  // once
    throw std::bad_alloc();
  }
  void* memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++live;
  return memory;
}

void release(void* memory) {
  if (memory == nullptr) return;
  --live;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size, 1);
}
void* operator new[](std::size_t size) {
  return allocate(size, 1);
}
// Sanitizers have a nothrow form of their own that does not call the one above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return allocate(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace lodestar::failure_test {
namespace {

GraphFile small_file() {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 12;
  GraphFile file;
  const Graph road = generate(spec);
  GraphBuilder builder(road.node_count());  // without coordinates, which some formats put elsewhere
  for (NodeId u = 0; u < road.node_count(); ++u) {
    for (const Arc arc : road.arcs(u)) builder.add_arc(u, arc.head, arc.weight);
  }
  file.graph = builder.build();
  file.names = NodeNames::numbered(0, file.graph.node_count());
  return file;
}

bool every_failure() {
  return std::getenv("LODESTAR_EVERY_FAILURE") != nullptr;
}

// The allocations to try, of so many: the first of them and their distance.
std::pair<std::int64_t, std::int64_t> allocations_to_try(std::int64_t all) {
  std::int64_t piece = 1, pieces = 1;
  if (const char* const value = std::getenv("LODESTAR_EVERY_FAILURE")) {
    if (std::sscanf(value, "%" SCNd64 "/%" SCNd64, &piece, &pieces) < 2) return {0, 1};
    return {piece - 1, pieces};
  }
  return {0, (all + 49) / 50};
}

// The distance of the failures to try, of so many.
std::int64_t step_of(std::int64_t all, std::int64_t most) {
  return every_failure() ? 1 : (all + most - 1) / most;
}

// What the entry points work with.
struct Sample {
  const ScratchFolder folder;
  const GraphFile file = small_file();
  const Graph& graph = file.graph;
  const FitOptions fitting{
      .potential_count = 2, .rounds = 1, .pairs = 100, .queries = 3, .held_back = 3};
  const Index core = Index::build(graph, {.core = 8, .rounds = 1});
  const FitResult fitted = fit(graph, fitting);
  const std::string lsi = folder / "g.lsi", lsp = folder / "g.lsp";
  const std::vector<NodeId> nodes = {0, 3, 7};

  Sample() {
    core.save(lsi);
    fitted.potentials.save(lsp);
  }
  void write(const std::string& extension) const { write_graph(file, folder / ("w." + extension)); }
  void read(const std::string& extension) const {
    EXPECT_EQ(read_graph(folder / ("r." + extension)).graph.node_count(), graph.node_count());
  }
};

struct EntryPoint {
  std::string name;
  std::function<void(const Sample&)> work;
};
void PrintTo(const EntryPoint& entry, std::ostream* out) {
  *out << entry.name;
}

std::vector<EntryPoint> entry_points() {
  std::vector<EntryPoint> all = {
      {"generate", [](const Sample&) { small_file(); }},
      {"with_weights",
       [](const Sample& s) { s.graph.with_weights(std::vector<Weight>(s.graph.arc_count(), 3)); }},
      {"search",
       [](const Sample& s) {
         Searcher(s.graph).run({0, 1}, Zero{});
       }},
      {"fit", [](const Sample& s) { fit(s.graph, s.fitting); }},
      {"index", [](const Sample& s) { Index::build(s.graph, {.guide = CorePotentials::kNone}); }},
      {"labels", [](const Sample& s) { Index::build(s.graph, {.core = 8, .labels = true}); }},
      {"core",
       [](const Sample& s) {
         IndexSearcher searcher(Index::build(s.graph, {.core = 8, .rounds = 1}));
         searcher.run({0, 1});
         searcher.path();
       }},
      {"customize", [](const Sample& s) { s.core.customized(s.graph, {.rounds = 1}); }},
      {"quick", [](const Sample& s) { s.core.flexible().customized(s.graph, {.quick = true}); }},
      {"save_index", [](const Sample& s) { s.core.save(s.lsi); }},
      {"open_index", [](const Sample& s) { Index::open(s.lsi, s.graph); }},
      {"save_potentials", [](const Sample& s) { s.fitted.potentials.save(s.lsp); }},
      {"load_potentials", [](const Sample& s) { Potentials::load(s.lsp); }},
      {"matrix", [](const Sample& s) { Router(s.graph).matrix(s.nodes, s.nodes); }},
  };
  for (const std::string extension : {"lsg", "gr", "txt", "graphml", "txt.gz"}) {
    const std::string name = extension == "txt.gz" ? "gz" : extension;
    all.push_back({"write_" + name, [=](const Sample& s) { s.write(extension); }});
    all.push_back({"read_" + name, [=](const Sample& s) { s.read(extension); }});
  }
  for (const std::string algorithm : {"bidirectional", "dijkstra", "core"}) {
    all.push_back({"router_" + algorithm, [=](const Sample& s) {
                     Router(s.graph, {.algorithm = algorithm}).path({0, 5});
                   }});
  }
  return all;
}

class Allocations : public ::testing::TestWithParam<EntryPoint> {};

// The first allocation of a run fails, then the second, and so on to the last.
TEST_P(Allocations, MayFail) {
  const Sample sample;
  for (const std::string extension : {"lsg", "gr", "txt", "graphml", "txt.gz"}) {
    write_graph(sample.file, sample.folder / ("r." + extension));
  }
  const auto work = [&] { GetParam().work(sample); };
  work();  // what is made once, such as tables of the library
  const auto index_bytes = sample.folder.read("g.lsi"), potentials = sample.folder.read("g.lsp");
  const std::size_t files = sample.folder.file_count();
  allocations_left = std::numeric_limits<std::int64_t>::max();
  work();
  const std::int64_t all = std::numeric_limits<std::int64_t>::max() - allocations_left;
  allocations_left = -1;
  ASSERT_GT(all, 0);
  std::int64_t thrown = 0, tried = 0;
  const auto [first, step] = allocations_to_try(all);
  for (std::int64_t n = first; n < all; n += step) {
    const std::int64_t before = live;
    allocations_left = n;
    try {
      work();
    } catch (const std::bad_alloc&) {
      ++thrown;
    } catch (const Error&) {  // some say what could not be done
      ++thrown;
    }
    allocations_left = -1;
    ASSERT_EQ(live, before) << "a leak after allocation " << n;
    ++tried;
  }
  EXPECT_GT(2 * thrown, tried);  // a few do without, as a buffer that is only faster
  EXPECT_EQ(sample.folder.read("g.lsi"), index_bytes);
  EXPECT_EQ(sample.folder.read("g.lsp"), potentials);
  EXPECT_EQ(sample.folder.file_count(), files) << "a temporary file was left behind";
  if (every_failure()) {
    std::cout << "| " << GetParam().name << " | " << tried << " | " << thrown << " |\n";
  }
}

INSTANTIATE_TEST_SUITE_P(EntryPoints, Allocations, ::testing::ValuesIn(entry_points()),
                         [](const auto& made) { return made.param.name; });

TEST(Failure, BytesOfEveryFile) {
  std::signal(SIGXFSZ, SIG_IGN);
  const ScratchFolder folder;
  const GraphFile file = small_file();
  const Index index = Index::build(file.graph, {.core = 8, .rounds = 1});
  const Potentials potentials =
      fit(file.graph,
          {.potential_count = 2, .rounds = 1, .pairs = 100, .queries = 3, .held_back = 3})
          .potentials;
  const auto check = [&](const std::string& name, const auto& save) {
    const std::string path = folder / name;
    save(path);
    const std::string whole = folder.read(name);
    ASSERT_GT(whole.size(), 0u);
    for (const std::string& old : {std::string(), std::string("old")}) {
      const std::int64_t step = step_of(static_cast<std::int64_t>(whole.size()), 100);
      for (std::size_t bytes = 0; bytes < whole.size(); bytes += static_cast<std::size_t>(step)) {
        old.empty() ? static_cast<void>(std::filesystem::remove(path))
                    : static_cast<void>(folder.write(name, old));
        bool thrown = false;
        {
          const testing::FullDisk full(bytes);
          try {
            save(path);
          } catch (const Error&) {
            thrown = true;
          }
        }
        ASSERT_TRUE(thrown) << name << " at byte " << bytes;
        ASSERT_EQ(folder.read(name), old) << name << " at byte " << bytes;
        ASSERT_EQ(folder.file_count(), old.empty() ? 0u : 1u) << name << " at byte " << bytes;
      }
    }
    std::filesystem::remove(path);
    if (every_failure()) std::cout << name << ": failed at each of " << whole.size() << " bytes\n";
  };
  const std::vector<std::string> formats = testing::written_formats(file);
  EXPECT_GE(formats.size(), 5u);
  for (const std::string& extension : formats) {
    check("g" + extension, [&](const std::string& path) { write_graph(file, path); });
  }
  check("g.txt.gz", [&](const std::string& path) { write_graph(file, path); });
  check("g.lsi", [&](const std::string& path) { index.save(path); });
  check("g.lsp", [&](const std::string& path) { potentials.save(path); });
}

}  // namespace
}  // namespace lodestar::failure_test
