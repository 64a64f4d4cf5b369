#include "gnuplot.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "lodestar/atomic_file.h"

namespace lodestar::cli {
bool draw_with_gnuplot(const std::string& folder, const std::string& name, const std::string& data,
                       const std::string& script, FigureSize size) {
  const std::string base = (std::filesystem::path(folder) / name).string();
  replace_file(base + ".dat", data);
  replace_file(base + ".gp",
               fmt::format("set terminal svg size {},{} dynamic background rgb 'white' font "
                           "'sans-serif,13'\nset output '{}.svg'\n",
                           size.width, size.height, name) +
                   script);
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return false;
  // The name is ours and the folder quoted: nothing of it is a command.
  std::string quoted = "'";
  for (const char c : folder) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command = "cd " + quoted + "' && gnuplot " + name + ".gp >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace lodestar::cli
