#include <sys/mman.h>
#include <unistd.h>

#include "lodestar/potentials.h"
#include "potentials/potentials_file.h"
#include "target.h"

namespace {

// Through a file without a name: potentials is read from a path.
void load(std::string_view bytes) {
  using namespace lodestar;
  const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
  fuzz::require(descriptor >= 0 && ::write(descriptor, bytes.data(), bytes.size()) ==
                                       static_cast<ssize_t>(bytes.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  try {
    const Potentials potentials = Potentials::load(path);
    fuzz::require(potentials.count() > 0 && potentials.unit() > 0);
    for (NodeId v = 0; v < potentials.node_count() && v < 8; ++v) {
      for (NodeId t = 0; t < potentials.node_count() && t < 8; ++t) {
        fuzz::require(potentials.to(t)(v) >= 0 && potentials.from(t)(v) >= 0);
      }
    }
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with(path));
  }
  ::close(descriptor);
}

}  // namespace

// As it is, and with the checksum set right: most mutations would stop at it.
FUZZ_TARGET(potentials) {
  load(bytes);
  std::string sealed(bytes);
  lodestar::seal_potentials(std::as_writable_bytes(std::span(sealed)));
  load(sealed);
}
