#include "formats/binary.h"
#include "target.h"

// As it is, and with the checksums set right: most mutations would stop at them.
FUZZ_TARGET(binary) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.lsg");
  std::string sealed(bytes);
  lodestar::formats::seal_binary(sealed);
  lodestar::fuzz::read_and_check(sealed, "fuzz.lsg");
}
