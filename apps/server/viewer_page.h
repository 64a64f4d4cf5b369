// The viewer as one self-contained HTML page, embedded in the binary.
#pragma once

#include <string_view>

namespace lodestar::server {

std::string_view viewer_page();

}  // namespace lodestar::server
