// Draws figures with gnuplot. Data and script are kept beside the picture, to redraw it by hand.
//
//   draw_with_gnuplot(folder, "rank", data, script);   // rank.dat, rank.gp, rank.svg
//
// The script draws to the terminal and file that are set before it runs.
#pragma once

#include <string>

namespace lodestar {

// Colours that colour-blind readers can distinguish (Okabe, Ito).
inline constexpr const char* kColours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                           "#56b4e9", "#e69f00", "#000000"};

struct FigureSize {
  int width = 640;
  int height = 420;
};

// Always writes data and script. Returns false if there is no picture because gnuplot is not
// installed or failed.
bool draw_with_gnuplot(const std::string& folder, const std::string& name, const std::string& data,
                       const std::string& script, FigureSize size = {});

}  // namespace lodestar
