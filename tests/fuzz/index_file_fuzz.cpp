#include <cstring>
#include <memory>
#include <vector>

#include "index/file/file.h"
#include "index/runner.h"
#include "target.h"

namespace {

// A sound file may hold nonsense, and then answers nonsense; it must not crash or hang.
void read_and_ask(std::string_view bytes) {
  namespace index = lodestar::index;
  // The arrays are used in place: aligned as those of a file are.
  const std::size_t words = (bytes.size() + 7) / 8;
  const auto copy = std::make_shared<std::vector<std::uint64_t>>(words);
  if (!bytes.empty()) std::memcpy(copy->data(), bytes.data(), bytes.size());
  const std::string_view image(reinterpret_cast<const char*>(copy->data()), bytes.size());
  try {
    const auto data = index::parse(image, copy, "fuzz.lsi");
    data->exact = true;  // costs that are rounded are added up on the graph, which is not there
    const auto runner = index::make_runner(*data);
    std::vector<lodestar::NodeId> path;
    for (lodestar::NodeId v = 0; v < data->nodes && v < 16; ++v) {
      const auto found = runner->run({v, data->nodes - 1 - v});
      if (found.reached() && data->paths) runner->path(path);
    }
  } catch (const lodestar::Error& error) {
    lodestar::fuzz::require(std::string_view(error.what()).starts_with("fuzz.lsi"));
  }
}

}  // namespace

// As it is, and with the checksums set right: most mutations would stop at them.
FUZZ_TARGET(index_file) {
  read_and_ask(bytes);
  std::string sealed(bytes);
  lodestar::index::seal(sealed);
  read_and_ask(sealed);
}
