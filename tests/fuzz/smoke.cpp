// fuzz_smoke CORPUS [MUTATIONS]: every target over its corpus, and over mutations of it that are
// the same in each run. A short stand-in for libFuzzer that any compiler builds.
// fuzz_smoke CORPUS 0 TARGET SECONDS SEED: one target for so long.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "lodestar/detail/clock.h"
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

struct Plan {
  std::filesystem::path corpus;
  int mutations = 2000;
  std::string target;  // empty: all
  double seconds = 0;  // more mutations until then
  std::uint64_t seed = 1;
};

int run(const Plan& plan) {
  for (const auto& [name, target] : targets()) {
    if (!plan.target.empty() && plan.target != name) continue;
    const std::vector<std::string> samples = read_corpus(plan.corpus / name);
    if (samples.empty()) {
      std::printf("%s: no samples in %s\n", name.c_str(), (plan.corpus / name).c_str());
      return 1;
    }
    for (const std::string& sample : samples) target(sample);
    Rng rng(plan.seed);
    const auto begin = Clock::now();
    std::uint64_t done = 0;
    while (done < static_cast<std::uint64_t>(plan.mutations) ||
           seconds_since(begin) < plan.seconds) {
      target(mutated(samples[below(rng, samples.size())], samples, rng));
      ++done;
    }
    std::printf("%-14s %3zu samples, %llu mutations\n", name.c_str(), samples.size(),
                static_cast<unsigned long long>(done));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace lodestar::fuzz

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: fuzz_smoke CORPUS [MUTATIONS [TARGET SECONDS SEED]]\n");
    return 2;
  }
  lodestar::fuzz::Plan plan;
  plan.corpus = argv[1];
  if (argc > 2) plan.mutations = std::atoi(argv[2]);
  if (argc > 3) plan.target = argv[3];
  if (argc > 4) plan.seconds = std::atof(argv[4]);
  if (argc > 5) plan.seed = std::strtoull(argv[5], nullptr, 10);
  return lodestar::fuzz::run(plan);
}
