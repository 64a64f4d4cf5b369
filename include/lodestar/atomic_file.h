// Writes a file atomically: it appears whole or not at all.
//
//   AtomicFile file("report.json");
//   file.write(text);
//   file.commit();                                    // without it nothing appears
//
// The bytes go to a temporary file in the same folder, which commit() renames. An exception or an
// early return removes the temporary file, and so does the program on a signal
// (remove_temporary_files). SIGKILL leaves the temporary file behind; `path` is never half written.
#pragma once

#include <string>
#include <string_view>

namespace lodestar {

class AtomicFile {
 public:
  // Throws Error when the folder cannot be written to. A symbolic link is followed; a device or
  // pipe (/dev/stdout) is written to directly, and so is standard output, called "-".
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;       // as the caller named it, for messages
  std::string target_;     // links resolved
  std::string temporary_;  // empty when written to directly
  int descriptor_ = -1;
};

// Writes a whole file in one call.
void replace_file(const std::string& path, std::string_view bytes);

// Throws Error if the folder of `path` does not exist. Call it before long work whose result goes
// to `path`.
void require_folder_of(const std::string& path);

// Removes the temporary files of all open AtomicFiles, which cannot be committed afterwards.
// Async-signal-safe: it calls only unlink.
void remove_temporary_files() noexcept;

}  // namespace lodestar
