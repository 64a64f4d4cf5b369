#include <limits>

#include "learn/train/net.h"
#include "learn/train/torch.h"

// The loops are compiled for several instruction sets and chosen when the program starts. No
// fused multiply-add (-ffp-contract=off): the same numbers from each.
#define LODESTAR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))

namespace lodestar::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Shape {
  std::int64_t nodes;
  std::int64_t message;  // M
  std::int64_t hidden;   // H
  std::int64_t stride() const { return 2 * message + hidden; }
};

struct Rows {
  const std::int32_t* first;
  const std::int32_t* sender;
  const float* weight;
  const float* pi;  // null without hints
};

LODESTAR_CLONES void gather_max_forward(Shape shape, Rows rows, const float* q, const float* alpha,
                                        const float* beta, float* m, std::int32_t* argmax,
                                        float* s) {
  const std::int64_t width = shape.message, stride = shape.stride();
  for (std::int64_t v = 0; v < shape.nodes; ++v) {
    float* best = m + v * width;
    std::int32_t* arg = argmax + v * width;
    for (std::int64_t k = 0; k < width; ++k) {
      best[k] = -std::numeric_limits<float>::infinity();
      arg[k] = 0;
    }
    for (std::int32_t e = rows.first[v]; e < rows.first[v + 1]; ++e) {
      const float* b = q + rows.sender[e] * stride + width;
      const float w = rows.weight[e], p = rows.pi ? rows.pi[e] : 0.0f;
      for (std::int64_t k = 0; k < width; ++k) {
        const float value = b[k] + w * alpha[k] + p * beta[k];
        const bool better = value > best[k];
        best[k] = better ? value : best[k];
        arg[k] = better ? e : arg[k];
      }
    }
    const float* a = q + v * stride;
    for (std::int64_t k = 0; k < width; ++k) {
      const float sum = a[k] + best[k];
      best[k] = sum > 0 ? sum : 0;
    }
    const float* own = q + v * stride + 2 * width;
    float* out = s + v * shape.hidden;
    for (std::int64_t k = 0; k < shape.hidden; ++k) out[k] = own[k];
  }
}

// dq must be zero on entry.
LODESTAR_CLONES void gather_max_backward(Shape shape, Rows rows, const float* m,
                                         const std::int32_t* argmax, const float* dm,
                                         const float* ds, float* dq, float* dalpha, float* dbeta) {
  const std::int64_t width = shape.message, stride = shape.stride();
  for (std::int64_t v = 0; v < shape.nodes; ++v) {
    float* da = dq + v * stride;
    for (std::int64_t k = 0; k < width; ++k) {
      const float g = m[v * width + k] > 0 ? dm[v * width + k] : 0;
      const std::int32_t e = argmax[v * width + k];
      da[k] = g;
      dq[rows.sender[e] * stride + width + k] += g;
      dalpha[k] += g * rows.weight[e];
      if (rows.pi) dbeta[k] += g * rows.pi[e];
    }
    for (std::int64_t k = 0; k < shape.hidden; ++k) {
      da[2 * width + k] = ds[v * shape.hidden + k];
    }
  }
}

Rows pointers(const torch::Tensor& first, const torch::Tensor& sender, const torch::Tensor& weight,
              const torch::Tensor& pi) {
  return {first.data_ptr<std::int32_t>(), sender.data_ptr<std::int32_t>(), weight.data_ptr<float>(),
          pi.defined() && pi.numel() > 0 ? pi.data_ptr<float>() : nullptr};
}

struct GatherMax : torch::autograd::Function<GatherMax> {
  static variable_list forward(AutogradContext* context, const torch::Tensor& q,
                               const torch::Tensor& alpha, const torch::Tensor& beta,
                               const torch::Tensor& first, const torch::Tensor& sender,
                               const torch::Tensor& weight, const torch::Tensor& pi) {
    const Shape shape{q.size(0), alpha.size(0), q.size(1) - 2 * alpha.size(0)};
    TORCH_CHECK(q.is_contiguous() && alpha.is_contiguous() && beta.is_contiguous());
    auto m = torch::empty({shape.nodes, shape.message}, q.options());
    auto s = torch::empty({shape.nodes, shape.hidden}, q.options());
    auto argmax = torch::empty({shape.nodes, shape.message}, torch::kInt);
    gather_max_forward(shape, pointers(first, sender, weight, pi), q.data_ptr<float>(),
                       alpha.data_ptr<float>(), beta.data_ptr<float>(), m.data_ptr<float>(),
                       argmax.data_ptr<std::int32_t>(), s.data_ptr<float>());
    context->save_for_backward({m, argmax, first, sender, weight, pi});
    context->saved_data["hidden"] = shape.hidden;
    return {m, s};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &m = saved[0], &argmax = saved[1], &pi = saved[5];
    const Shape shape{m.size(0), m.size(1), context->saved_data["hidden"].toInt()};
    const auto dm = gradients[0].defined() ? gradients[0].contiguous() : torch::zeros_like(m);
    const auto ds = gradients[1].defined() ? gradients[1].contiguous()
                                           : torch::zeros({shape.nodes, shape.hidden}, m.options());
    auto dq = torch::zeros({shape.nodes, shape.stride()}, m.options());
    auto dalpha = torch::zeros({shape.message}, m.options());
    auto dbeta = torch::zeros({shape.message}, m.options());
    gather_max_backward(shape, pointers(saved[2], saved[3], saved[4], pi), m.data_ptr<float>(),
                        argmax.data_ptr<std::int32_t>(), dm.data_ptr<float>(), ds.data_ptr<float>(),
                        dq.data_ptr<float>(), dalpha.data_ptr<float>(), dbeta.data_ptr<float>());
    return {dq, dalpha, dbeta, {}, {}, {}, {}};
  }
};

struct SegmentMax : torch::autograd::Function<SegmentMax> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& values,
                               const torch::Tensor& first) {
    const std::int64_t nodes = first.size(0) - 1, width = values.size(1);
    TORCH_CHECK(values.is_contiguous());
    auto out = torch::empty({nodes, width}, values.options());
    auto argmax = torch::zeros({nodes, width}, torch::kLong);
    const float* in = values.data_ptr<float>();
    const auto* row = first.data_ptr<std::int32_t>();
    for (std::int64_t v = 0; v < nodes; ++v) {
      float* best = out.data_ptr<float>() + v * width;
      std::int64_t* arg = argmax.data_ptr<std::int64_t>() + v * width;
      for (std::int64_t k = 0; k < width; ++k) {
        best[k] = in[row[v] * width + k];
        arg[k] = row[v] * width + k;
      }
      for (std::int64_t e = row[v] + 1; e < row[v + 1]; ++e) {
        for (std::int64_t k = 0; k < width; ++k) {
          const bool better = in[e * width + k] > best[k];
          best[k] = better ? in[e * width + k] : best[k];
          arg[k] = better ? e * width + k : arg[k];
        }
      }
    }
    context->save_for_backward({argmax});
    context->saved_data["rows"] = values.size(0);
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto argmax = context->get_saved_variables()[0];
    const auto gradient = gradients[0].contiguous();
    auto out =
        torch::zeros({context->saved_data["rows"].toInt(), argmax.size(1)}, gradient.options());
    const float* in = gradient.data_ptr<float>();
    const std::int64_t* arg = argmax.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < argmax.numel(); ++i) out.data_ptr<float>()[arg[i]] += in[i];
    return {out, {}};
  }
};

}  // namespace

std::pair<at::Tensor, at::Tensor> gather_max(const at::Tensor& q, const at::Tensor& alpha,
                                             const at::Tensor& beta, const MessageRows& rows) {
  const auto pi = rows.pi.defined() ? rows.pi : torch::empty({0});
  auto out = GatherMax::apply(q, alpha, beta, rows.first, rows.sender, rows.weight, pi);
  return {out[0], out[1]};
}

at::Tensor segment_max(const at::Tensor& values, const at::Tensor& first) {
  return SegmentMax::apply(values.contiguous(), first);
}

}  // namespace lodestar::learn
