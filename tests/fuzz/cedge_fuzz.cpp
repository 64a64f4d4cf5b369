#include "formats/format.h"
#include "target.h"

// The bytes before the first NUL are the .cnode file, those behind it the .cedge file.
FUZZ_TARGET(cedge) {
  lodestar::fuzz::read_and_check(bytes, "fuzz.cedge");
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return;
  const lodestar::ReadOptions options;
  const lodestar::formats::Input nodes{{bytes.substr(0, nul), nullptr}, "fuzz.cnode", options};
  try {
    const auto file = lodestar::formats::read_cedge(
        {{bytes.substr(nul + 1), nullptr}, "fuzz.cedge", options}, &nodes);
    lodestar::fuzz::check(file);
  } catch (const lodestar::Error&) {
  }
}
