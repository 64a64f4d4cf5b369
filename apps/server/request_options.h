// The options of a routing request, as a URL has them.
#pragma once

#include <string>
#include <string_view>

#include "request.h"

namespace lodestar::server {

// Throws Refusal with status 400.
[[noreturn]] void refuse(std::string_view code, const std::string& why);

// Sets one option. Throws Refusal if it is unknown at this endpoint or its value is invalid.
void set_option(const std::string& name, const std::string& value, RoutingRequest& out,
                const Limits& limits);

}  // namespace lodestar::server
