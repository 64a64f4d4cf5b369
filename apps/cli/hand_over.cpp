#include "hand_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lodestar/types.h"
#include "progress.h"

namespace lodestar::cli {

void hand_over(const std::string& program, const std::string& verb,
               const std::vector<std::string>& arguments, const std::string& why_missing) {
  std::error_code failed;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = (own.parent_path() / program).string();
  if (failed || access(path.c_str(), X_OK) != 0) throw Error(path + ": not found: " + why_missing);
  std::vector<std::string> words = {program, verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (is_quiet()) words.insert(words.begin() + 1, "--quiet");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  throw Error(path + ": cannot be started: " + std::strerror(errno));
}

void add_handed_over_verb(Verb& program, const std::string& name, const std::string& text,
                          const std::string& group,
                          const std::function<void(const std::vector<std::string>&)>& run) {
  CLI::App& app = program.verb(name, text, group).app();
  app.set_help_flag();
  app.prefix_command();
  app.callback([&app, run] { run(app.remaining()); });
}

}  // namespace lodestar::cli
