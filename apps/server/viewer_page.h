// The viewer as one page: HTML, styles and program in one text. Part of the binary.
#pragma once

#include <string_view>

namespace lodestar::serve {

std::string_view viewer_page();

}  // namespace lodestar::serve
