// How this process was called, for the records of runs and searches.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace lodestar::cli {

inline std::string command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  // As the user called it: lodestar hands its verbs over under another name.
  if (text.starts_with("lodestar-learn ")) text.erase(8, 6);
  return text;
}

// The same with RUN as the run's folder, for the model: what the model depends on, and no path of
// the machine it was trained on.
inline std::string portable_command(std::string command, const std::string& output) {
  const std::size_t at = output.empty() ? std::string::npos : command.find(" " + output);
  if (at != std::string::npos) command.replace(at + 1, output.size(), "RUN");
  return command;
}

}  // namespace lodestar::cli
