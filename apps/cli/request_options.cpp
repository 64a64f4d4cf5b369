#include <filesystem>
#include <fstream>
#include <iterator>

#include "lodestar/preferences_text.h"
#include "request_answers.h"

namespace lodestar::cli {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) throw Error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

bool names_file(const std::string& what) {
  return what.ends_with(".geojson") || what.ends_with(".json");
}

}  // namespace

void add_request_options(Verb& verb, RequestOptions& options) {
  const auto request = [](Option option) -> Option {
    option.excludes_as_noted("--index", "--algorithm", "--heuristic", "--bound", "--max-expansions",
                             "--times", "--compare", "--check", "--to-all", "--from-all");
    return option;
  };
  request(verb.option("--blend", options.blend,
                      "Weights of this request: shares of the graph's metrics, such as "
                      "time=1,length=0.02 for seconds plus 0.02 per metre"));
  Option avoid = request(
      verb.option("--avoid", options.avoid,
                  "What to close, or with =FACTOR to make more expensive: a class of roads "
                  "(toll, ferry=2), way/ID, a circle as lon,lat,metres, or a GeoJSON file of "
                  "polygons. May be repeated"));
  avoid.cli().expected(1)->take_all();
  request(verb.option("--vehicle", options.vehicle,
                      "Size of the vehicle in metres and tonnes, such as height=3.8,weight=12"));
  request(verb.option("--depart", options.depart, "Time of departure, such as 08:30"))
      .needs("--travel-times")
      .excludes("--alternatives");
  verb.option("--travel-times", options.travel_times, "Travel times by the time of day (.csv)")
      .needs("--depart", "--preferences");
  request(verb.option("--alternatives", options.alternatives,
                      "Routes per query, at most; the best one first"))
      .check(CLI::Range(1, 100))
      .default_text("");
  request(verb.option("--preferences", options.preferences,
                      "JSON file with the keys blend, avoid, vehicle and depart; options add to "
                      "it"));
}

Preferences read_preferences(const RequestOptions& options) {
  Preferences made;
  if (!options.preferences.empty()) {
    made = parse_preferences(content_of(options.preferences), options.preferences);
  }
  if (!options.blend.empty()) set_blend(made, options.blend);
  for (const std::string& text : options.avoid) {
    const WithFactor avoided = split_factor(text);
    if (names_file(avoided.what)) {
      add_areas(made, content_of(avoided.what), avoided.what, avoided.factor);
    } else {
      add_avoided(made, text);
    }
  }
  if (!options.vehicle.empty()) set_vehicle(made, options.vehicle);
  if (!options.depart.empty()) made.depart = TravelTimes::parse_time(options.depart);
  return made;
}

void prepare_for_requests(RouterOptions& router, const RequestOptions& options,
                          const GraphFile& file) {
  router.metrics = file.metrics;
  router.shape = file.shape;
  if (options.travel_times.empty()) return;
  router.travel_times = std::make_shared<const TravelTimes>(
      TravelTimes::load(options.travel_times, file.graph, file.metrics, file.shape));
}

}  // namespace lodestar::cli
