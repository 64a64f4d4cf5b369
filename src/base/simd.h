// Compiles a function also for processors with wider vectors; one version is selected at program
// start. Use it only if the result does not depend on the width: for integers, comparisons, minimum
// and maximum, and for floating point if each lane performs the same operations in the same order.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LODESTAR_AVX2_CLONE __attribute__((target_clones("avx2", "default")))
#define LODESTAR_AVX512_CLONE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LODESTAR_AVX2_CLONE
#define LODESTAR_AVX512_CLONE
#endif

// Functions with [[gnu::target("avx2")]] may be compiled; the caller asks whether the processor has
// it.
#if defined(__x86_64__) && defined(__GNUC__)
#define LODESTAR_AVX2
#endif
