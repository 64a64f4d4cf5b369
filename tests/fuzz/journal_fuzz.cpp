#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "learn/tune/journal.h"
#include "target.h"

// The journal of `tune`, as a killed process leaves it: it is read or rejected by name, and appends
// continue after the last whole line.
FUZZ_TARGET(journal) {
  using namespace lodestar;
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("fuzz-journal-" + std::to_string(::getpid())))
          .string();
  static const struct Cleaner {
    ~Cleaner() { std::remove(path.c_str()); }
  } cleaner;
  {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  try {
    std::size_t lines = 0;
    {
      tune::Journal journal(path);
      lines = journal.lines().size();
      journal.append({{"trial", 7}});
    }
    const tune::Journal again(path);
    fuzz::require(again.lines().size() == lines + 1);
    fuzz::require(again.lines().back().at("trial") == 7);
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with(path));
  }
}
