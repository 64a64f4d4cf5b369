// What happens when memory or the disk runs out: at each allocation of a small run of each entry
// point, and at each byte of each file format. An exception leaves, nothing leaks, and files are
// whole: the old one or the new one. By default a sample of the allocations and bytes fails, all of
// them with LODESTAR_EVERY_FAILURE in the environment.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <new>

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

namespace lodestar {
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

// The distance of the failures to try, of so many.
std::int64_t step_of(std::int64_t all, std::int64_t most) {
  return every_failure() ? 1 : (all + most - 1) / most;
}

// Runs `work` with the first allocation failing, then the second, and so on to the last.
template <class Work>
void fail_everywhere(const std::string& name, Work&& work) {
  work();  // what is made once, such as tables of the library
  allocations_left = std::numeric_limits<std::int64_t>::max();
  work();
  const std::int64_t all = std::numeric_limits<std::int64_t>::max() - allocations_left;
  allocations_left = -1;
  ASSERT_GT(all, 0) << name;
  std::int64_t thrown = 0, tried = 0;
  for (std::int64_t n = 0; n < all; n += step_of(all, 50)) {
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
    ASSERT_EQ(live, before) << name << " leaks after allocation " << n;
    ++tried;
  }
  EXPECT_GT(2 * thrown, tried) << name;  // a few do without, as a buffer that is only faster
  if (every_failure()) std::cout << name << ": " << tried << " allocations failed\n";
}

TEST(Failure, AllocationsOfEveryEntryPoint) {
  const ScratchFolder folder;
  const GraphFile file = small_file();
  const Graph& graph = file.graph;
  const std::string lsg = folder / "g.lsg", lsi = folder / "g.lsi", lsp = folder / "g.lsp";
  write_graph(file, lsg);
  const Index core = Index::build(graph, {.core = 8, .rounds = 1});
  core.save(lsi);
  const FitResult fitted =
      fit(graph, {.potential_count = 2, .rounds = 1, .pairs = 100, .queries = 3, .held_back = 3});
  fitted.potentials.save(lsp);
  const auto index_bytes = folder.read("g.lsi"), potentials_bytes = folder.read("g.lsp");
  const std::size_t files = folder.file_count();

  fail_everywhere("generate", [] { small_file(); });
  for (const std::string extension : {"lsg", "gr", "txt", "graphml", "txt.gz"}) {
    const std::string path = folder / ("other." + extension);
    fail_everywhere("write", [&] { write_graph(file, path); });
    fail_everywhere("read",
                    [&] { EXPECT_EQ(read_graph(path).graph.node_count(), graph.node_count()); });
    std::filesystem::remove(path);
  }
  fail_everywhere("with_weights",
                  [&] { graph.with_weights(std::vector<Weight>(graph.arc_count(), 3)); });
  fail_everywhere("dijkstra", [&] { Searcher(graph).run({0, 1}, Zero{}); });
  fail_everywhere("fit", [&] {
    fit(graph, {.potential_count = 2, .rounds = 1, .pairs = 100, .queries = 3, .held_back = 3});
  });
  fail_everywhere("index", [&] { Index::build(graph, {.guide = CorePotentials::kNone}); });
  fail_everywhere("labels", [&] { Index::build(graph, {.core = 8, .labels = true}); });
  fail_everywhere("core", [&] {
    IndexSearcher searcher(Index::build(graph, {.core = 8, .rounds = 1}));
    searcher.run({0, 1});
    searcher.path();
  });
  fail_everywhere("customize", [&] { core.customized(graph, {.rounds = 1}); });
  fail_everywhere("quick", [&] { core.flexible().customized(graph, {.quick = true}); });
  fail_everywhere("save index", [&] { core.save(lsi); });
  fail_everywhere("open index", [&] { Index::open(lsi, graph); });
  fail_everywhere("save potentials", [&] { fitted.potentials.save(lsp); });
  fail_everywhere("load potentials", [&] { Potentials::load(lsp); });
  const std::vector<NodeId> nodes = {0, 3, 7};
  fail_everywhere("matrix", [&] { Router(graph).matrix(nodes, nodes); });
  for (const std::string algorithm : {"bidirectional", "dijkstra", "core"}) {
    fail_everywhere("router", [&] { Router(graph, {.algorithm = algorithm}).path({0, 5}); });
  }
  EXPECT_EQ(folder.read("g.lsi"), index_bytes);
  EXPECT_EQ(folder.read("g.lsp"), potentials_bytes);
  EXPECT_EQ(folder.file_count(), files) << "a temporary file was left behind";
}

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
}  // namespace lodestar
