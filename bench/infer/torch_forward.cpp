#include "torch_forward.h"

#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

#include "learn/train/batch.h"
#include "learn/train/net.h"
#include "lodestar/features.h"

namespace lodestar::bench {
namespace {

void write_potentials(const at::Tensor& y, double factor, std::span<double> out) {
  const auto values = y.contiguous();
  const float* data = values.data_ptr<float>();
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = factor * static_cast<double>(data[v]);
}

class Plain : public TorchForward {
 public:
  Plain(const Model& model, const Graph& graph)
      : config_(model.config), input_(graph_input(graph, config_.features)) {
    torch::set_num_threads(1);
    for (const auto& [name, matrix] : model.matrices) {
      weights_[name] = torch::tensor(matrix.values).view({matrix.rows, matrix.cols});
    }
    const auto n = static_cast<std::int64_t>(input_.nodes);
    const auto arcs = static_cast<std::int64_t>(input_.sender.size());
    x_values_.resize(input_.nodes * config_.features.node_inputs());
    std::vector<std::int64_t> receiver, sender, lengths;
    for (NodeId v = 0; v < input_.nodes; ++v) {
      lengths.push_back(input_.first[v + 1] - input_.first[v]);
      for (ArcIndex e = input_.first[v]; e < input_.first[v + 1]; ++e) {
        receiver.push_back(v);
        sender.push_back(input_.sender[e]);
      }
    }
    receiver_ = torch::tensor(receiver);
    sender_ = torch::tensor(sender);
    lengths_ = torch::tensor(lengths);
    edge_ = torch::tensor(input_.weight).view({arcs, 1});
    if (config_.features.hints) {
      std::vector<float> pi(input_.sender.size());
      predecessor_input(input_, pi);
      edge_ = torch::cat({edge_, torch::tensor(pi).view({arcs, 1})}, 1);
    }
    x_ = torch::zeros({n, static_cast<std::int64_t>(config_.features.node_inputs())});
  }

  void set_query(Query query) override {
    node_input(input_, config_.features, query, x_values_);
    std::copy(x_values_.begin(), x_values_.end(), x_.data_ptr<float>());
  }

  void run() override {
    const torch::NoGradGuard no_gradients;
    const auto z = x_.matmul(w("node_encoder"));
    const auto z_edge = edge_.matmul(w("edge_encoder"));
    auto h = torch::zeros({x_.size(0), config_.hidden});
    for (std::uint32_t step = 0; step < config_.steps; ++step) {
      const auto zh = torch::cat({z, h}, 1);
      const auto receive = zh.matmul(w("message.receiver")).index_select(0, receiver_);
      const auto send = zh.matmul(w("message.sender")).index_select(0, sender_);
      auto message = (receive + send + z_edge.matmul(w("message.edge")) + w("message.bias")).relu();
      for (std::uint32_t k = 2; k <= config_.message_layers; ++k) {
        const std::string name = "message." + std::to_string(k);
        message = torch::addmm(w(name + ".bias"), message, w(name + ".weight")).relu();
      }
      const auto most = torch::segment_reduce(message, "max", lengths_);
      auto next =
          (zh.matmul(w("update.self")) + most.matmul(w("update.message")) + w("update.bias"))
              .relu();
      for (std::uint32_t k = 2; k <= config_.update_layers; ++k) {
        const std::string name = "update." + std::to_string(k);
        next = torch::addmm(w(name + ".bias"), next, w(name + ".weight")).relu();
      }
      if (step + 1 == config_.steps) y_ = torch::cat({z, next, h}, 1).matmul(w("y_decoder"));
      h = next;
    }
  }

  void read(std::span<double> y) override {
    write_potentials(y_, config_.y_scale * input_.y_unit, y);
  }

 private:
  const at::Tensor& w(const std::string& name) const { return weights_.at(name); }

  ModelConfig config_;
  GraphInput input_;
  std::map<std::string, at::Tensor> weights_;
  std::vector<float> x_values_;
  at::Tensor receiver_, sender_, lengths_, edge_, x_, y_;
};

class Training : public TorchForward {
 public:
  Training(const Model& model, const Graph& graph) : net_(model) {
    torch::set_num_threads(1);
    sample_.graph = graph;
    sample_.input = graph_input(graph, model.config.features);
  }
  void set_query(Query query) override {
    sample_.query = query;
    const learn::Sample* one[] = {&sample_};
    batch_ = learn::make_inference_batch(one, net_.config());
  }
  void run() override {
    const torch::NoGradGuard no_gradients;
    y_ = net_.forward(batch_, 1).y;
  }
  void read(std::span<double> y) override {
    write_potentials(y_[0], net_.config().y_scale * sample_.input.y_unit, y);
  }

 private:
  learn::Net net_;
  learn::Sample sample_;
  learn::Batch batch_;
  at::Tensor y_;
};

}  // namespace

std::unique_ptr<TorchForward> make_plain_torch(const Model& model, const Graph& graph) {
  return std::make_unique<Plain>(model, graph);
}
std::unique_ptr<TorchForward> make_training_torch(const Model& model, const Graph& graph) {
  return std::make_unique<Training>(model, graph);
}

}  // namespace lodestar::bench
