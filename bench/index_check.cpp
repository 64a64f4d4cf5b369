// index_check [QUERIES] [SEED]: indexes of small random graphs with difficult weights. Compares
// every pair of nodes with Bellman-Ford and adds up every path. Exits with 1 on a wrong answer.
#include "index_check.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::uint64_t seed = first;
  lodestar::testing::Judgement judgement;
  while (judgement.queries < wanted && judgement.wrong == 0) {
    lodestar::testing::judge_seed(seed++, judgement);
  }
  std::printf("%llu queries on %llu graphs, %llu of them without a path, %llu wrong\n",
              static_cast<unsigned long long>(judgement.queries),
              static_cast<unsigned long long>(seed - first),
              static_cast<unsigned long long>(judgement.unreachable),
              static_cast<unsigned long long>(judgement.wrong));
  if (judgement.wrong > 0) std::printf("first: %s\n", judgement.first_wrong.c_str());
  return judgement.wrong == 0 ? 0 : 1;
}
