#include <sys/mman.h>
#include <unistd.h>

#include "potentials/table_file.h"
#include "lodestar/potentials.h"
#include "target.h"

namespace {

// Through a file without a name: a table is read from a path.
void load(std::string_view bytes) {
  using namespace lodestar;
  const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
  fuzz::require(descriptor >= 0 && ::write(descriptor, bytes.data(), bytes.size()) ==
                                       static_cast<ssize_t>(bytes.size()));
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  try {
    const PotentialTable table = PotentialTable::load(path);
    fuzz::require(table.potentials() > 0 && table.unit() > 0);
    for (NodeId v = 0; v < table.node_count() && v < 8; ++v) {
      for (NodeId t = 0; t < table.node_count() && t < 8; ++t) {
        fuzz::require(table.to(t)(v) >= 0 && table.from(t)(v) >= 0);
      }
    }
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with(path));
  }
  ::close(descriptor);
}

}  // namespace

// As it is, and with the checksum set right: most mutations would stop at it.
FUZZ_TARGET(potential_table) {
  load(bytes);
  std::string sealed(bytes);
  lodestar::seal_potential_table(std::as_writable_bytes(std::span(sealed)));
  load(sealed);
}
