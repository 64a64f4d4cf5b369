#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "learn/train/run_files.h"
#include "learn/train/torch.h"
#include "lodestar/atomic_file.h"
#include "lodestar/detail/format_version.h"
#include "network/tensor_file.h"

namespace lodestar::learn {
namespace {

using Json = nlohmann::json;

void put(TensorFile& file, const std::string& name, const at::Tensor& tensor) {
  const auto values = tensor.detach().contiguous();
  const float* begin = values.data_ptr<float>();
  file.tensors.emplace_back(name, Matrix{static_cast<std::uint32_t>(values.size(0)),
                                         static_cast<std::uint32_t>(values.size(1)),
                                         {begin, begin + values.numel()}});
}

void put_all(TensorFile& file, const std::string& prefix, const std::vector<at::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    put(file, prefix + std::to_string(i), tensors[i]);
  }
}

void take_all(const TensorFile& file, const std::string& prefix, const std::string& where,
              std::vector<at::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = prefix + std::to_string(i);
    const Matrix* found = nullptr;
    for (const auto& [key, matrix] : file.tensors) {
      if (key == name) found = &matrix;
    }
    if (!found || static_cast<std::int64_t>(found->values.size()) != tensors[i].numel()) {
      throw Error(where + ": the checkpoint's '" + name +
                  "' is missing or of another size; "
                  "delete the run folder and start again");
    }
    std::memcpy(tensors[i].data_ptr<float>(), found->values.data(),
                found->values.size() * sizeof(float));
  }
}

}  // namespace

void save_checkpoint(const std::string& path, const TrainOptions& options, const RunState& state,
                     Net& net, Descent& descent) {
  TensorFile file;
  const Json json = {{"epoch", state.epoch},
                     {"best_epoch", state.best_epoch},
                     {"best_loss", std::bit_cast<std::uint64_t>(state.best_loss)},
                     {"metrics_bytes", state.metrics_bytes},
                     {"seconds", state.seconds},
                     {"descent_steps", descent.steps()}};
  file.metadata = {
      {"lodestar_checkpoint", "1"}, {"options", options_json(options)}, {"state", json.dump()}};
  put_all(file, "parameter.", net.parameters());
  put_all(file, "best.", state.best);
  put_all(file, "first.", descent.first_moments());
  put_all(file, "second.", descent.second_moments());
  replace_file(path, tensor_file_bytes(file));
}

bool load_checkpoint(const std::string& path, const TrainOptions& options, RunState& state,
                     Net& net, Descent& descent) {
  if (!std::filesystem::exists(path)) return false;
  const std::string bytes = read_entire_file(path);
  const TensorFile file = parse_tensor_file(std::as_bytes(std::span(bytes)), path);
  const auto text = [&](const char* name) {
    const auto found = file.metadata.find(name);
    if (found == file.metadata.end()) throw Error(path + ": not a checkpoint of this program");
    return found->second;
  };
  if (const std::string format = text("lodestar_checkpoint"); format != "1") {
    throw Error(path + ": " +
                detail::other_format(std::strtoull(format.c_str(), nullptr, 10), 1,
                                     "begin the run again without --resume"));
  }
  // An option that did not exist yet had what is now its default.
  TrainOptions stored;
  apply_options_json(text("options"), path, stored);
  if (options_json(stored) != options_json(options)) {
    throw Error(path +
                ": the checkpoint belongs to a run with other options; give the same ones, "
                "or none, with --resume");
  }
  try {
    const Json json = Json::parse(text("state"));
    state.epoch = json.at("epoch").get<std::uint32_t>();
    state.best_epoch = json.at("best_epoch").get<std::uint32_t>();
    state.best_loss = std::bit_cast<double>(json.at("best_loss").get<std::uint64_t>());
    state.metrics_bytes = json.at("metrics_bytes").get<std::uint64_t>();
    state.seconds = json.at("seconds").get<double>();
    descent.set_steps(json.at("descent_steps").get<std::int64_t>());
  } catch (const Json::exception& error) {
    throw Error(path + ": the checkpoint's state is damaged: " + error.what());
  }
  const torch::NoGradGuard no_gradients;
  take_all(file, "parameter.", path, net.parameters());
  state.best.clear();
  for (const at::Tensor& parameter : net.parameters()) {
    state.best.push_back(torch::empty_like(parameter.detach()));
  }
  take_all(file, "best.", path, state.best);
  take_all(file, "first.", path, descent.first_moments());
  take_all(file, "second.", path, descent.second_moments());
  return true;
}

}  // namespace lodestar::learn
