// osm_bench: the speed of OpenStreetMap imports, on a generated extract as large as a country.
//
//   osm_bench make country.osm.pbf 700         # about 100 MB; the number sets the size
//   osm_bench read country.osm.pbf 2           # two threads; time, processor time, memory
//   osm_bench places country.osm.pbf           # building the index of places, asking it
//
// The country is a lattice of jittered junctions. Streets of six blocks bend three times a block;
// main roads, one-way streets and names occur as often as in towns. For each block there are six
// buildings of five nodes, because four of five nodes of an extract belong to no road. Objects have
// versions and timestamps, as in common extracts.
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/pbf_output.hpp>
#include <osmium/io/writer.hpp>
#include <string>

#include "bench/harness/program.h"
#include "bench/harness/stopwatch.h"
#include "lodestar/osm.h"
#include "lodestar/places.h"
#include "lodestar/rng.h"

namespace {

using namespace lodestar;

double megabytes_held() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

class Country {
 public:
  Country(const std::string& path, int size)
      : size_(size), writer_(path, header(), osmium::io::overwrite::allow) {}

  void write() {
    for (int r = 0; r < size_; ++r) {
      for (int c = 0; c < size_; ++c) block_nodes(c, r);
    }
    for (int line = 0; line < size_; ++line) {
      for (int from = 0; from + 1 < size_; from += kBlocks) {
        street(line, from, true);
        street(line, from, false);
      }
      for (int c = 0; c < size_; ++c) buildings(c, line);
    }
    writer_(std::move(buffer_));
    writer_.close();
  }

 private:
  static constexpr int kBlocks = 6, kBends = 3, kCorners = 5, kBuildings = 6;
  static constexpr int kPerCell = 1 + 2 * kBends + kBuildings * kCorners;

  static osmium::io::Header header() {
    osmium::io::Header out;
    out.set("generator", "lodestar osm_bench");
    return out;
  }

  std::int64_t id(int c, int r, int which) const {
    return 1 + (std::int64_t{r} * size_ + c) * kPerCell + which;
  }

  void stamp(osmium::OSMObject& object) {
    // People edit a neighbourhood at a time.
    if (rng_.below(20) == 0) edited_ = 1'200'000'000 + rng_.below(500'000'000);
    object.set_version(1 + rng_.below(4));
    object.set_timestamp(osmium::Timestamp(edited_));
  }

  void flush() {
    buffer_.commit();
    if (buffer_.committed() < (1 << 20)) return;
    writer_(std::move(buffer_));
    buffer_ = osmium::memory::Buffer(1 << 21, osmium::memory::Buffer::auto_grow::yes);
  }

  void node(std::int64_t number, double x, double y, bool signal) {
    {
      osmium::builder::NodeBuilder builder(buffer_);
      builder.object().set_id(number);
      stamp(builder.object());
      builder.object().set_location(osmium::Location(x, y));
      builder.set_user("");
      if (signal) {
        osmium::builder::TagListBuilder tags(buffer_, &builder);
        tags.add_tag("highway", "traffic_signals");
      }
    }
    flush();
  }

  double noise(double width) { return (rng_.below(2'000'001) / 1e6 - 1) * width; }

  void block_nodes(int c, int r) {
    constexpr double kStep = 0.0015;
    const double x = 5 + c * kStep, y = 45 + r * kStep;
    node(id(c, r, 0), x + noise(kStep / 4), y + noise(kStep / 4), rng_.below(50) == 0);
    for (int b = 1; b <= kBends; ++b) {
      node(id(c, r, b), x + kStep * b / (kBends + 1), y + noise(kStep / 8), false);
    }
    for (int b = 1; b <= kBends; ++b) {
      node(id(c, r, kBends + b), x + noise(kStep / 8), y + kStep * b / (kBends + 1), false);
    }
    for (int b = 0; b < kBuildings; ++b) {
      const double left = x + kStep * (0.2 + 0.25 * (b % 3)) + noise(kStep / 20);
      const double low = y + kStep * (0.3 + 0.3 * (b / 3)) + noise(kStep / 20);
      for (int i = 0; i < kCorners; ++i) {
        node(id(c, r, 1 + 2 * kBends + b * kCorners + i), left + (i % 3) * 1e-4 + noise(2e-5),
             low + (i / 2) * 8e-5 + noise(2e-5), false);
      }
    }
  }

  template <class Refs, class TagsOf>
  void way(Refs&& refs, TagsOf&& tags_of) {
    {
      osmium::builder::WayBuilder builder(buffer_);
      builder.object().set_id(++ways_);
      stamp(builder.object());
      builder.set_user("");
      {
        osmium::builder::WayNodeListBuilder nodes(buffer_, &builder);
        refs(nodes);
      }
      osmium::builder::TagListBuilder tags(buffer_, &builder);
      tags_of(tags);
    }
    flush();
  }

  void street(int line, int from, bool across) {
    const int last = std::min(size_ - 1, from + kBlocks);
    way(
        [&](auto& nodes) {
          for (int i = from; i <= last; ++i) {
            const int c = across ? i : line, r = across ? line : i;
            nodes.add_node_ref(id(c, r, 0));
            for (int b = 1; i < last && b <= kBends; ++b) {
              nodes.add_node_ref(id(c, r, (across ? 0 : kBends) + b));
            }
          }
        },
        [&](auto& tags) {
          const bool main = line % 12 == 0;
          tags.add_tag("highway", main ? "primary" : line % 5 == 0 ? "tertiary" : "residential");
          if (main) tags.add_tag("maxspeed", "80");
          if (!main && rng_.below(8) == 0) tags.add_tag("oneway", "yes");
          tags.add_tag("name", "Street " + std::to_string(line) + (across ? " East" : " North"));
          if (rng_.below(3) == 0) tags.add_tag("surface", "asphalt");
        });
  }

  void buildings(int c, int r) {
    for (int b = 0; b < kBuildings; ++b) {
      const std::int64_t first = id(c, r, 1 + 2 * kBends + b * kCorners);
      way(
          [&](auto& nodes) {
            for (int i = 0; i <= kCorners; ++i) nodes.add_node_ref(first + i % kCorners);
          },
          [&](auto& tags) {
            tags.add_tag("building", "yes");
            tags.add_tag("addr:housenumber", std::to_string(1 + rng_.below(99)));
          });
    }
  }

  int size_;
  Rng rng_{1};
  osmium::io::Writer writer_;
  osmium::memory::Buffer buffer_{1 << 21, osmium::memory::Buffer::auto_grow::yes};
  std::int64_t ways_ = 0;
  std::uint32_t edited_ = 1'200'000'000;
};

int read(const std::string& path, unsigned threads, bool turns) {
  const double before = bench::process_seconds();
  const auto start = Clock::now();
  const GraphFile file = read_osm(path, {.turns = turns, .threads = threads});
  const double wall = seconds_since(start), processor = bench::process_seconds() - before;
  const double size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::printf("%.1f MB: %u nodes, %zu arcs, %zu bends in between\n", size, file.graph.node_count(),
              file.graph.arc_count(), file.shape.points.size());
  std::printf("%.2f s, %.2f processor seconds, %.1f MB per processor second, %.0f MB of memory\n",
              wall, processor, size / processor, megabytes_held());
  for (const std::string& note : file.notes) std::printf("  %s\n", note.c_str());
  return 0;
}

int places(const std::string& path) {
  add_osm_format();
  const GraphFile file = read_graph(path);
  double start = bench::process_seconds();
  const Places index(file.graph, file.shape);
  const double build = bench::process_seconds() - start;
  const double millions = static_cast<double>(file.shape.segment_count()) / 1e6;
  std::printf(
      "%.3f million segments, %.3f million bends: %.2f s to build (%.2f s a million), %.0f MB\n",
      millions, static_cast<double>(file.shape.points.size()) / 1e6, build, build / millions,
      static_cast<double>(index.bytes()) / 1e6);
  Rng rng(7);
  const auto nodes = file.graph.points();
  std::vector<Point> asked;
  for (int i = 0; i < 200'000; ++i) {
    const Point p = nodes[rng.below(static_cast<std::uint32_t>(nodes.size()))];
    asked.push_back(
        {p.x + (rng.below(2001) - 1000.0) * 1e-6, p.y + (rng.below(2001) - 1000.0) * 1e-6});
  }
  start = bench::process_seconds();
  double sum = 0;
  for (const Point& p : asked) sum += index.nearest(p, kInfinity).distance;
  const double each = (bench::process_seconds() - start) / static_cast<double>(asked.size());
  std::printf("nearest arc: %.2f us a query (mean distance %.1f m)\n", each * 1e6,
              sum / static_cast<double>(asked.size()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string file;
  int size = 0;
  unsigned threads = 0;
  bool turns = false;
  CLI::App app("Speed of OpenStreetMap imports", "osm_bench");
  app.require_subcommand(1);
  CLI::App* make = app.add_subcommand("make", "Write an extract");
  make->add_option("file", file)->required();
  make->add_option("size", size, "Junctions along one side")->required();
  CLI::App* import = app.add_subcommand("read", "Import an extract");
  import->add_option("file", file)->required();
  import->add_option("threads", threads, "0: all cores");
  import->add_flag("--turns", turns, "Keep turn restrictions");
  CLI::App* nearest = app.add_subcommand("places", "Build the index of places and query it");
  nearest->add_option("file", file)->required();
  return bench::run_program(app, argc, argv, [&] {
    if (make->parsed()) {
      Country(file, size).write();
      return 0;
    }
    return import->parsed() ? read(file, threads, turns) : places(file);
  });
}
