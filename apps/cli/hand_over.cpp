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
  if (failed || access(path.c_str(), X_OK) != 0)
    throw Error(path + " is not there: " + why_missing);
  std::vector<std::string> words = {program, verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (is_quiet()) words.insert(words.begin() + 1, "--quiet");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  throw Error(path + ": cannot be started: " + std::strerror(errno));
}

void add_handed_over_verb(CLI::App& program, const std::string& name,
                          const std::string& description,
                          const std::function<void(const std::vector<std::string>&)>& run) {
  CLI::App* verb = program.add_subcommand(name, description);
  verb->set_help_flag();
  verb->prefix_command();
  verb->callback([verb, run] { run(verb->remaining()); });
}

}  // namespace lodestar::cli
