// Runs build/lodestar as a user does, and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lodestar::testing {

struct Outcome {
  int status = -1;  // exit code; -1 when it did not exit by itself
  std::string out;
};

// By a shell.
inline Outcome run_command(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    outcome.out.append(buffer, got);
  }
  const int raw = ::pclose(pipe);
  if (WIFEXITED(raw)) outcome.status = WEXITSTATUS(raw);
  return outcome;
}

// The program under test; tools/mutate names another one.
inline std::string program_path() {
  const char* const other = std::getenv("LODESTAR_PROGRAM");
  return other != nullptr ? other : LODESTAR_BINARY;
}

// stderr is dropped, or joined to stdout.
inline Outcome run_program(const std::string& arguments, bool with_stderr = false) {
  std::string command = program_path();
  command += ' ';
  command += arguments;
  command += with_stderr ? " 2>&1" : " 2>/dev/null";
  return run_command(command);
}

}  // namespace lodestar::testing
