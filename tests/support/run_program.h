// Runs build/lodestar as a user does, and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <cstdio>
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

// stderr is dropped, or joined to stdout.
inline Outcome run_program(const std::string& arguments, bool with_stderr = false) {
  std::string command = LODESTAR_BINARY " ";
  command += arguments;
  command += with_stderr ? " 2>&1" : " 2>/dev/null";
  return run_command(command);
}

}  // namespace lodestar::testing
