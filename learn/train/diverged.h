// What ends a training that cannot go on; `lodestar train` then exits with 1.
#pragma once

#include "lodestar/types.h"

namespace lodestar::learn {

// The loss or a potential is not finite, or the loss grows without bound; the last good checkpoint
// stays.
class Diverged : public Error {
 public:
  using Error::Error;
};

}  // namespace lodestar::learn
