// Figures by gnuplot: a data file and a script beside the picture, so that anyone can redraw it.
//
//   draw_with_gnuplot(folder, "rank", data, script);   // rank.dat, rank.gp, rank.svg
//
// The script draws to the terminal and file that are set before it runs.
#pragma once

#include <string>

namespace lodestar::cli {

// Colours that differ for colour-blind readers too (Okabe, Ito).
inline constexpr const char* kColours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                           "#56b4e9", "#e69f00", "#000000"};

struct FigureSize {
  int width = 640;
  int height = 420;
};

// Data and script are written whether gnuplot is there or not; false when no picture was made.
bool draw_with_gnuplot(const std::string& folder, const std::string& name, const std::string& data,
                       const std::string& script, FigureSize size = {});

}  // namespace lodestar::cli
