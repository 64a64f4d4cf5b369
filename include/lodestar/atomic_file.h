// A file that appears whole or not at all.
//
//   AtomicFile file("report.json");
//   file.write(text);
//   file.commit();                                    // without it nothing appears
//
// Written to a temporary file in the same folder, renamed on commit. An exception or an early
// return removes the temporary, and so does the program on a signal (remove_temporary_files). What
// no process can catch (SIGKILL) leaves it behind, never half of `path`.
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

// All of a file in one call.
void replace_file(const std::string& path, std::string_view bytes);

// Throws Error when the folder that `path` would lie in is not there: to be said before the work,
// not after it.
void require_folder_of(const std::string& path);

// Removes the temporaries of every AtomicFile that is open. For signal handlers: calls nothing but
// unlink. The files cannot be committed afterwards.
void remove_temporary_files() noexcept;

}  // namespace lodestar
