#include "run_state.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lodestar/types.h"
#include "lodestar/version.h"
#include "trial.h"

namespace adversary {
namespace {

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::uint64_t RunState::sum() const {
  std::uint64_t all = 0;
  for (std::size_t row = 0; row < methods().size(); ++row) {
    if (!methods()[row].cells()) all += answers[row];
  }
  return all;
}

std::string RunState::table() const {
  std::string text = "| method | answers | configurations refused |\n|:--|--:|--:|\n";
  const auto add_row = [&](const std::string& name, std::uint64_t count, std::uint64_t no) {
    text += "| " + name + " | " + with_commas(count) + " | " + with_commas(no) + " |\n";
  };
  for (const bool cells : {false, true}) {
    std::uint64_t all = 0, no = 0;
    for (std::size_t row = 0; row < methods().size(); ++row) {
      if (methods()[row].cells() != cells) continue;
      add_row(methods()[row].name, answers[row], refused[row]);
      all += answers[row];
      no += refused[row];
    }
    add_row(cells ? "all numbers of many" : "all answers", all, no);
  }
  return text;
}

void RunState::add(const RunState& other) {
  graphs += other.graphs;
  wrong += other.wrong;
  hung += other.hung;
  seconds += other.seconds;
  for (std::size_t row = 0; row < kMost; ++row) {
    answers[row] += other.answers[row];
    refused[row] += other.refused[row];
  }
}

void save(const RunState& state, const std::string& path) {
  const std::string fresh = path + ".tmp";
  {
    std::ofstream out(fresh);
    out << "adversary " << lodestar::kVersion << ' ' << lodestar::kCommit << '\n'
        << "seed " << state.seed << "\nnext " << state.next << "\ngraphs " << state.graphs
        << "\nwrong " << state.wrong << "\nhung " << state.hung << "\nseconds " << state.seconds
        << '\n';
    for (std::size_t row = 0; row < methods().size(); ++row) {
      out << "method " << state.answers[row] << ' ' << state.refused[row] << ' '
          << methods()[row].name << '\n';
    }
    out.close();
    if (!out) throw lodestar::Error(fresh + ": cannot write");
  }
  std::filesystem::rename(fresh, path);
}

RunState load_state(const std::string& path) {
  std::ifstream in(path);
  RunState state;
  std::string line;
  bool known = false;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "adversary") {
      known = true;
    } else if (key == "method") {
      std::uint64_t answers = 0, refused = 0;
      std::string name;
      words >> answers >> refused >> std::ws;
      std::getline(words, name);
      std::size_t row = 0;
      while (row < methods().size() && methods()[row].name != name) ++row;
      if (row == methods().size()) throw lodestar::Error(path + ": no such method: " + name);
      state.answers[row] = answers;
      state.refused[row] = refused;
    } else if (key == "seconds") {
      words >> state.seconds;
    } else {
      std::uint64_t* field = key == "seed"     ? &state.seed
                             : key == "next"   ? &state.next
                             : key == "graphs" ? &state.graphs
                             : key == "wrong"  ? &state.wrong
                             : key == "hung"   ? &state.hung
                                               : nullptr;
      if (field == nullptr) throw lodestar::Error(path + ": no such entry: " + key);
      words >> *field;
    }
    if (words.fail()) throw lodestar::Error(path + ": malformed: " + line);
  }
  if (!known) throw lodestar::Error(path + ": not a state of the adversary");
  return state;
}

}  // namespace adversary
