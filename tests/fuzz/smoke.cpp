// fuzz_smoke CORPUS [MUTATIONS]: every target over its corpus, and over mutations of it that are
// the same in each run. A short stand-in for libFuzzer that any compiler builds.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "lodestar/rng.h"
#include "target.h"

namespace lodestar::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

std::vector<std::string> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> samples;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    samples.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return samples;
}

std::uint32_t below(Rng& rng, std::size_t bound) {
  return rng.below(static_cast<std::uint32_t>(std::max<std::size_t>(bound, 1)));
}

// A few small changes: bytes, numbers, cuts, repetitions, pieces of another sample.
std::string mutated(std::string text, const std::vector<std::string>& samples, Rng& rng) {
  static constexpr const char* kPieces[] = {"-1",  "0",    "4294967295", "18446744073709551616",
                                            "nan", "1e99", "\n",         "\t",
                                            " ",   "\"",   "inf",        "9007199254740993"};
  for (std::uint32_t changes = 1 + rng.below(4); changes > 0; --changes) {
    const std::size_t at = below(rng, text.size() + 1);
    const std::size_t size = std::min<std::size_t>(below(rng, 16) + 1, text.size() - at);
    switch (rng.below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.insert(at, kPieces[below(rng, std::size(kPieces))]);
        break;
      case 2:
        text.erase(at, size);
        break;
      case 3:
        text.insert(below(rng, text.size()), text.substr(at, size));
        break;
      case 4:
        text.resize(at);
        break;
      default: {
        const std::string& other = samples[below(rng, samples.size())];
        text.insert(at, other.substr(below(rng, other.size()), 32));
      }
    }
  }
  return text;
}

}  // namespace

Registration::Registration(const char* name, Target target) {
  targets()[name] = target;
}

int run(const std::filesystem::path& corpus, int mutations) {
  for (const auto& [name, target] : targets()) {
    const std::vector<std::string> samples = read_corpus(corpus / name);
    if (samples.empty()) {
      std::printf("%s: no samples in %s\n", name.c_str(), (corpus / name).c_str());
      return 1;
    }
    for (const std::string& sample : samples) target(sample);
    Rng rng(1);
    for (int i = 0; i < mutations; ++i) {
      target(mutated(samples[below(rng, samples.size())], samples, rng));
    }
    std::printf("%-14s %3zu samples, %d mutations\n", name.c_str(), samples.size(), mutations);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace lodestar::fuzz

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: fuzz_smoke CORPUS [MUTATIONS]\n");
    return 2;
  }
  return lodestar::fuzz::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 2000);
}
