
#include <algorithm>

#include "json_text.h"
#include "served_graph.h"
#include "viewer_data.h"

namespace lodestar::server {
namespace {

std::string base64(std::string_view bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u;
    };
    const unsigned three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out += kLetters[three >> 18];
    out += kLetters[three >> 12 & 63];
    out += i + 1 < bytes.size() ? kLetters[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kLetters[three & 63] : '=';
  }
  return out;
}

// JSON inside a script element: a street's name could end the element. In JSON a < is always part
// of a string.
std::string script_text(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string recorded_page(const World& world, const Snapshot& snapshot, Methods& methods,
                          Query query, const std::vector<std::string>& names) {
  Limits limits;
  limits.seconds = 1e6;
  Deadline deadline(limits);
  const std::vector<Point> layout = layout_of(world.file, methods);
  JsonText json;
  json.open('{').key("graph").text(base64(graph_bytes(world, snapshot, layout, methods)));
  json.key("map").raw(map_json(world, {}));
  json.key("traces").open('[');
  for (const std::string& name : names) {
    json.raw(
        trace_json({query, name, limits.trace_steps}, world, snapshot, layout, methods, deadline));
  }
  json.close(']').key("potentials").open('{');
  for (const std::string_view name : {"alt", "learned"}) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    json.key(name).text(base64(potential_bytes(query.target, *methods.potentials(name))));
  }
  json.close('}').close('}');
  std::string page(viewer_page());
  constexpr std::string_view kMark = "<script id=\"recording\" type=\"application/json\">null<";
  const std::size_t at = page.find(kMark);
  if (at == std::string::npos) throw Error("the viewer's page has no place for a recording");
  page.replace(at + kMark.size() - 5, 4, script_text(json.out()));
  return page;
}

}  // namespace lodestar::server
