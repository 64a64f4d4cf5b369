#include <filesystem>
#include <thread>

#include "assemble.h"
#include "extract_format.h"
#include "lodestar/graph_formats.h"
#include "lodestar/osm.h"
#include "profile.h"
#include "roads.h"
#include "scan.h"

namespace lodestar {
namespace {

GraphFile import_extract(const osmium::io::File& file, const std::string& name,
                         const ReadOptions& options) {
  osm::Wishes wishes;
  wishes.turns = options.turns;
  wishes.all = options.all;
  wishes.by_length = options.weight == "length";
  if (!wishes.by_length && !options.weight.empty() && options.weight != "time") {
    throw Error(name + ": weights are 'time' or 'length', not '" + options.weight + "'");
  }
  const osm::Profile profile =
      osm::Profile::load(options.profile.empty() ? "car" : options.profile);
  const unsigned threads =
      options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  osm::RawRoads raw;
  std::exception_ptr stopped;  // by the caller's own function: not the file's fault
  std::function<void(double)> progress;
  if (options.progress) {
    progress = [&](double share) {
      try {
        options.progress(share);
      } catch (...) {
        stopped = std::current_exception();
        throw;
      }
    };
  }
  try {
    raw = osm::scan(file, profile, threads, progress);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (stopped) std::rethrow_exception(stopped);
    throw Error(name + ": cannot be read: " + error.what());
  }
  if (raw.all_ways == 0 && raw.all_nodes == 0) {
    throw Error(name + ": holds neither nodes nor ways; is it an OpenStreetMap extract?");
  }
  osm::Roads roads = osm::cut_roads(raw);
  if (options.progress) options.progress(0.95);
  GraphFile out = osm::assemble(std::move(raw), std::move(roads), profile, wishes, name);
  if (options.progress) options.progress(1);
  return out;
}

}  // namespace

void add_osm_format() {
  static const bool added = [] {
    add_graph_format({.extensions = ".osm.pbf .osm .osm.bz2",
                      .title = "OpenStreetMap extract",
                      .direction = "directed",
                      .weights = "time or length, by `--profile`",
                      .ids = "0 … n - 1; OpenStreetMap's are kept beside them",
                      .coordinates = "yes",
                      .choices = kChooseWeight | kChooseRoads | kChooseMetrics,
                      .read_file = read_osm});
    return true;
  }();
  (void)added;
}

GraphFile read_osm(const std::string& path, const ReadOptions& options) {
  const std::string format =
      osm::osmium_format(options.format.empty() ? path : "." + options.format);
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    throw Error(path + ": cannot be read: " +
                (std::filesystem::exists(path, failed) ? "is no file" : "no such file"));
  }
  // osmium takes "http:…" for an address and starts a program to fetch it; a path it never does.
  return import_extract(osmium::io::File(std::filesystem::absolute(path).string(), format), path,
                        options);
}

GraphFile parse_osm(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.empty()) throw Error(name + ": is empty");
  return import_extract(osmium::io::File(bytes.data(), bytes.size(), osm::osmium_format(name)),
                        name, options);
}

}  // namespace lodestar
