#include "bench/harness/gnuplot.h"

#include <cstdlib>
#include <filesystem>

#include "lodestar/atomic_file.h"

namespace lodestar {

bool draw_with_gnuplot(const std::string& folder, const std::string& name, const std::string& data,
                       const std::string& script, FigureSize size) {
  const std::string base = (std::filesystem::path(folder) / name).string();
  replace_file(base + ".dat", data);
  replace_file(base + ".gp", "set terminal svg size " + std::to_string(size.width) + "," +
                                 std::to_string(size.height) +
                                 " dynamic background rgb 'white' font 'sans-serif,13'\n" +
                                 "set output '" + name + ".svg'\n" + script);
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return false;
  // The name is a constant of the caller; the folder is quoted for the shell.
  std::string quoted = "'";
  for (const char c : folder) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command = "cd " + quoted + "' && gnuplot " + name + ".gp >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace lodestar
