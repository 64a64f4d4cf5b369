// Compile a function for wider processors as well, chosen when the program starts. Only for loops
// whose result does not depend on the width: integers, comparisons, minimum and maximum, and
// floating point where each lane does the same operations in the same order on every machine.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LODESTAR_AVX2_CLONE __attribute__((target_clones("avx2", "default")))
#define LODESTAR_AVX512_CLONE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LODESTAR_AVX2_CLONE
#define LODESTAR_AVX512_CLONE
#endif
