// Compares each kernel with a plain loop bit for bit, for awkward sizes.
#include "network/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lodestar/rng.h"

namespace lodestar::kernels::kernels_test {
namespace {

Floats random_floats(Rng& rng, std::size_t count) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

float relu(float x) {
  return x > 0 ? x : 0;
}
float larger(float a, float b) {
  return a > b ? a : b;
}

constexpr std::size_t kOutputs[] = {16, 32, 48, 64, 96, 112, 144};
constexpr std::size_t kInner[] = {0, 1, 2, 7, 16, 33, 90};

TEST(Kernels, Padding) {
  EXPECT_EQ(padded(1), 16u);
  EXPECT_EQ(padded(16), 16u);
  EXPECT_EQ(padded(90), 96u);
}

TEST(Kernels, MultiplyIsThePlainLoop) {
  Rng rng(1);
  for (const std::size_t rows : {0, 1, 2, 3, 5, 6, 7, 11, 12, 13, 20}) {
    for (const std::size_t inner : kInner) {
      for (const std::size_t outputs : kOutputs) {
        const std::size_t a_stride = inner + 3, b_stride = outputs + 16, c_stride = outputs + 5;
        const Floats a = random_floats(rng, rows * a_stride + 1);
        const Floats b = random_floats(rng, inner * b_stride + 1);
        const Floats init = random_floats(rng, rows * outputs + outputs);
        for (const std::size_t init_stride : {std::size_t{0}, outputs}) {
          for (const Then then : {Then::kNothing, Then::kRelu}) {
            Floats c(rows * c_stride + outputs, -7.f);
            Floats expected = c;
            for (std::size_t r = 0; r < rows; ++r) {
              for (std::size_t j = 0; j < outputs; ++j) {
                float sum = init[r * init_stride + j];
                for (std::size_t k = 0; k < inner; ++k) {
                  sum += a[r * a_stride + k] * b[k * b_stride + j];
                }
                expected[r * c_stride + j] = then == Then::kRelu ? relu(sum) : sum;
              }
            }
            multiply(rows, inner, outputs, {a.data(), a_stride}, {b.data(), b_stride},
                     {init.data(), init_stride}, {c.data(), c_stride}, then);
            ASSERT_EQ(c, expected) << rows << " x " << inner << " x " << outputs;
          }
        }
      }
    }
  }
}

TEST(Kernels, SparseMultiplyIsThePlainLoop) {
  Rng rng(2);
  for (const std::size_t inner : kInner) {
    for (const std::size_t outputs : kOutputs) {
      Floats a = random_floats(rng, inner + 1);
      for (float& x : a) x = relu(x);
      const Floats b = random_floats(rng, inner * outputs + 1);
      const Floats init = random_floats(rng, outputs);
      for (const Then then : {Then::kNothing, Then::kRelu}) {
        Floats c(outputs), expected(outputs);
        for (std::size_t j = 0; j < outputs; ++j) {
          float sum = init[j];
          for (std::size_t k = 0; k < inner; ++k) sum += a[k] * b[k * outputs + j];
          expected[j] = then == Then::kRelu ? relu(sum) : sum;
        }
        std::vector<std::uint32_t> used(inner + 1);
        multiply_sparse(inner, outputs, a.data(), {b.data(), outputs}, init.data(), used.data(),
                        c.data(), then);
        ASSERT_EQ(c, expected) << inner << " x " << outputs;
      }
    }
  }
}

TEST(Kernels, MaxMessagesIsThePlainLoop) {
  Rng rng(3);
  for (const std::uint32_t nodes : {1u, 2u, 9u, 40u}) {
    for (const std::size_t outputs : kOutputs) {
      std::vector<std::uint32_t> first{0}, sender;
      Floats weight;
      for (std::uint32_t v = 0; v < nodes; ++v) {
        sender.push_back(v);
        weight.push_back(0);
        const std::uint32_t degree = rng.below(12);  // often none
        for (std::uint32_t i = 0; i < degree; ++i) {
          sender.push_back(rng.below(nodes));
          weight.push_back(rng.uniform24());
        }
        first.push_back(static_cast<std::uint32_t>(sender.size()));
      }
      const std::size_t stride = outputs + 16;
      const Floats receive = random_floats(rng, nodes * stride);
      const Floats send = random_floats(rng, nodes * stride);
      const Floats edge = random_floats(rng, outputs), self = random_floats(rng, outputs);
      Floats out(nodes * outputs, -7.f), expected(nodes * outputs, -7.f);
      const std::size_t begin = nodes > 2 ? 1 : 0;
      for (std::size_t v = begin; v < nodes; ++v) {
        for (std::size_t j = 0; j < outputs; ++j) {
          float best = send[v * stride + j] + self[j];
          for (std::uint32_t i = first[v] + 1; i < first[v + 1]; ++i) {
            best = larger(best, send[sender[i] * stride + j] + weight[i] * edge[j]);
          }
          expected[(v - begin) * outputs + j] = relu(receive[v * stride + j] + best);
        }
      }
      max_messages(begin, nodes, outputs, {first.data(), sender.data(), weight.data()},
                   {receive.data(), stride}, {send.data(), stride}, edge.data(), self.data(),
                   {out.data(), outputs});
      ASSERT_EQ(out, expected) << nodes << " nodes, " << outputs;

      // The same, a node at a time.
      Floats listed(outputs);
      for (std::size_t v = begin; v < nodes; ++v) {
        std::vector<const float*> sends;
        for (std::uint32_t i = first[v] + 1; i < first[v + 1]; ++i) {
          sends.push_back(send.data() + sender[i] * stride);
        }
        max_listed(outputs, sends.size(), sends.data(), weight.data() + first[v] + 1, edge.data(),
                   send.data() + v * stride, self.data(), receive.data() + v * stride,
                   listed.data());
        const auto row = expected.begin() + static_cast<std::ptrdiff_t>((v - begin) * outputs);
        ASSERT_TRUE(std::equal(listed.begin(), listed.end(), row)) << v << ", " << outputs;
      }
    }
  }
}

TEST(Kernels, VectorsAreThePlainLoop) {
  Rng rng(4);
  for (const std::size_t outputs : kOutputs) {
    const Floats a = random_floats(rng, outputs), b = random_floats(rng, outputs);
    Floats best = random_floats(rng, outputs), expected = best, sum(outputs), plain(outputs);
    float lanes[kLanes] = {};
    for (std::size_t j = 0; j < outputs; ++j) {
      expected[j] = larger(expected[j], a[j] + 0.7f * b[j]);
      plain[j] = relu(a[j] + b[j]);
      lanes[j % kLanes] += a[j] * b[j];
    }
    float total = lanes[0];
    for (std::size_t i = 1; i < kLanes; ++i) total += lanes[i];
    take_message(outputs, a.data(), 0.7f, b.data(), best.data());
    add_relu(outputs, a.data(), b.data(), sum.data());
    ASSERT_EQ(best, expected);
    ASSERT_EQ(sum, plain);
    ASSERT_EQ(dot(outputs, a.data(), b.data()), total);
  }
}

}  // namespace
}  // namespace lodestar::kernels::kernels_test
