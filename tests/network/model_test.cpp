#include "lodestar/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "error_of.h"
#include "lodestar/rng.h"

namespace lodestar::model_test {
namespace {

Model small_model() {
  Model model;
  model.config.preset = "test";
  model.config.hidden = 3;
  model.config.message = 4;
  model.config.message_layers = 2;
  model.config.update_layers = 3;
  model.config.y_scale = 0.95;
  model.provenance = R"({"seed":7})";
  Rng rng(1);
  for (const MatrixShape& shape : model_shapes(model.config)) {
    Matrix& matrix = model.matrices[shape.name];
    matrix = {shape.rows, shape.cols, {}};
    for (std::uint32_t i = 0; i < shape.rows * shape.cols; ++i) {
      matrix.values.push_back(static_cast<float>(rng.uniform(-1, 1)));
    }
  }
  return model;
}

Model parse(const std::string& bytes) {
  return parse_model(std::as_bytes(std::span(bytes)), "test.safetensors");
}

// The message a damaged file is refused with.
std::string refusal(const std::string& bytes) {
  try {
    parse(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  const auto at = bytes.find(from);
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at, from.size(), to);
}

TEST(Model, FileGivesBackWhatWasWritten) {
  const Model model = small_model();
  const std::string path = ::testing::TempDir() + "/round_trip.safetensors";
  write_model(model, path);
  const Model back = read_model(path);
  EXPECT_EQ(back.config, model.config);
  EXPECT_EQ(back.matrices, model.matrices);
  EXPECT_EQ(back.provenance, model.provenance);
  EXPECT_EQ(content_hash(back), content_hash(model));
  EXPECT_EQ(load_model(path).config, model.config);
}

TEST(Model, HashesTellModelsApart) {
  const Model model = small_model();
  Model other = model;
  other.provenance = "{}";
  other.config.preset = "x";
  EXPECT_EQ(content_hash(other), content_hash(model));
  other.config.y_scale = 1;
  EXPECT_NE(content_hash(other), content_hash(model));
  EXPECT_EQ(shape_hash(other.config), shape_hash(model.config));
  other = model;
  other.matrices["update.bias"].values[0] += 1;
  EXPECT_NE(content_hash(other), content_hash(model));
  other.config.features.pos = !other.config.features.pos;
  EXPECT_NE(shape_hash(other.config), shape_hash(model.config));
}

TEST(Model, ADamagedFileIsRefusedWithTheReason) {
  const std::string good = model_bytes(small_model());
  EXPECT_EQ(refusal(good), "accepted");
  const auto changed = [&](const char* from, const char* to) { return replaced(good, from, to); };
  const std::pair<std::string, const char*> damaged[] = {
      {"", "too short"},
      {"not a model at all", "not a safetensors"},
      {good.substr(0, 100), "cut off"},
      {good.substr(0, good.size() - 4), "cut off"},
      {good + "tail", "announced"},
      {changed("\"F32\"", "\"F16\""), "32-bit"},
      {changed("update.bias", "update.bian"), "missing"},
      {changed("\\\"hidden\\\":3", "\\\"hidden\\\":5"), "asks for"},
      {changed("\\\"steps\\\":1", "\\\"steps\\\":2"), "shape hash"},
      {changed("\\\"steps\\\":1", "\\\"steps\\\":0"), "steps must"},
      {changed("\\\"steps\\\":1", "\\\"stepz\\\":1"), "'steps'"},
      {changed("\"lodestar\":\"1\"", "\"lodestar\":\"9\""), "format 9"}};
  for (const auto& [bytes, reason] : damaged) {
    EXPECT_NE(refusal(bytes).find(reason), std::string::npos) << reason;
  }
}

std::string config_with(const std::string& name, const std::string& value) {
  auto json = nlohmann::json::parse(config_json(small_model().config));
  if (value.empty()) {
    json.erase(name);
  } else {
    json[name] = nlohmann::json::parse(value);
  }
  return json.dump();
}

// Every field of a config: missing, of another type, and on both sides of its limits.
TEST(Model, ConfigsAreCheckedFieldByField) {
  EXPECT_EQ(parse_config(config_json(small_model().config), "x"), small_model().config);
  struct Row {
    const char* name;
    std::vector<const char*> good, bad;
  };
  const Row rows[] = {
      {"preset", {"\"a\""}, {"", "3", "true"}},
      {"hidden", {"1", "4096"}, {"", "0", "4097", "-1", "1.5", "\"3\"", "5000000000"}},
      {"message", {"1", "4096"}, {"", "0", "4097", "true"}},
      {"message_layers", {"1", "3"}, {"", "0", "4"}},
      {"update_layers", {"", "1", "3"}, {"0", "4", "true"}},
      {"steps", {"1", "1024"}, {"", "0", "1025"}},
      {"heads", {"", "1", "64"}, {"0", "65", "1.5"}},
      {"predecessor", {"true", "false"}, {"", "1"}},
      {"pos", {"true"}, {"", "1"}},
      {"hints", {"true"}, {"", "null"}},
      {"direction", {"\"along\"", "\"against\""}, {"", "\"across\"", "1"}},
      {"degree_normalisation", {"true"}, {"", "0"}},
      {"reference_degree", {"0.5", "2"}, {"", "0", "-1", "\"1\""}},
      {"y_scale", {"-1", "0.5"}, {"", "\"1\""}},
      {"y_scale_most", {"", "0", "0.95", "2"}, {"0.9", "-1", "true"}},
      {"settle", {"", "0", "3"}, {"-0.5", "true"}},
      {"reach", {"", "0", "3"}, {"-0.5", "true"}},
      {"unknown", {}, {"1"}},
  };
  for (const Row& row : rows) {
    for (const char* value : row.good) {
      EXPECT_NO_THROW(parse_config(config_with(row.name, value), "x")) << row.name << value;
    }
    for (const char* value : row.bad) {
      EXPECT_THROW(parse_config(config_with(row.name, value), "x"), Error) << row.name << value;
    }
  }
  for (const char* text : {"", "[]", "{", "3"}) EXPECT_THROW(parse_config(text, "x"), Error);
}

TEST(Model, ConfigsAreWrittenWhole) {
  ModelConfig config = small_model().config;
  config.heads = 3;
  config.y_scale_most = 1.5;
  config.settle = 0.25;
  config.features.reach = 7;
  config.features.pos = !config.features.pos;
  config.features.direction = MessageDirection::kAgainst;
  EXPECT_EQ(parse_config(config_json(config), "x"), config);
  EXPECT_EQ(config_json(ModelConfig{}).find("heads"), std::string::npos);
  for (const char* name : {"heads", "y_scale_most", "settle", "reach", "update_layers"}) {
    EXPECT_NE(config_json(config).find(name), std::string::npos) << name;
  }
}

// A file whose header says what it should not; the numbers are four bytes.
TEST(Model, TensorHeadersAreChecked) {
  const auto file = [](const std::string& header) {
    const std::uint64_t length = header.size();
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    return bytes + header + std::string(4, '\0');
  };
  const std::pair<const char*, const char*> rows[] = {
      {R"([])", "not a JSON object"},
      {R"({"a": 3})", "lacks dtype"},
      {R"({"a": {"shape": [1, 1], "data_offsets": [0, 4]}})", "lacks dtype"},
      {R"({"a": {"dtype": "F32", "data_offsets": [0, 4]}})", "lacks dtype"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1]}})", "lacks dtype"},
      {R"({"a": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 4]}})", "is not F32"},
      {R"({"a": {"dtype": "F32", "shape": 1, "data_offsets": [0, 4]}})", "two dimensions"},
      {R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})", "two dimensions"},
      {R"({"a": {"dtype": "F32", "shape": [1, -1], "data_offsets": [0, 4]}})", "invalid shape"},
      {R"({"a": {"dtype": "F32", "shape": ["1", 1], "data_offsets": [0, 4]}})", "invalid shape"},
      {R"({"a": {"dtype": "F32", "shape": [1, 268435457], "data_offsets": [0, 4]}})",
       "invalid shape"},
      {R"({"a": {"dtype": "F32", "shape": [1, 268435456], "data_offsets": [0, 4]}})",
       "another number of bytes"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": 4}})", "malformed data_offsets"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [4]}})",
       "malformed data_offsets"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [-1, 4]}})",
       "malformed data_offsets"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, "4"]}})",
       "malformed data_offsets"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [4, 0]}})", "beyond the end"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [1, 5]}})", "beyond the end"},
      {R"({"a": {"dtype": "F32", "shape": [0, 1], "data_offsets": [0, 0]}})", "0 are announced"},
      {R"({"__metadata__": 3})", "metadata is not a JSON object"},
      {R"({"__metadata__": {"a": 3}})", "is not a text"},
      {R"({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}})", "no 'lodestar'"},
  };
  for (const auto& [header, reason] : rows) {
    EXPECT_NE(refusal(file(header)).find(reason), std::string::npos)
        << header << refusal(file(header));
  }
  // A header that claims more than there may be.
  const std::uint64_t much = (1u << 24) + 1;
  EXPECT_NE(refusal(std::string(reinterpret_cast<const char*>(&much), 8) + std::string(20, ' '))
                .find("not a safetensors"),
            std::string::npos);
}

TEST(Model, TensorsThatDoNotBelongAreNamed) {
  Model model = small_model();
  model.matrices["more"] = {1, 1, {0}};
  try {
    model.check("x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'more' is not part"), std::string::npos);
  }
  model = small_model();
  const std::size_t count = model.parameter_count();
  model.matrices["y_decoder"].values.pop_back();
  EXPECT_EQ(model.parameter_count(), count - 1);
  model = small_model();
  model.matrices["message.bias"].rows = 2;
  EXPECT_THROW(model.check("x"), Error);
  EXPECT_EQ(content_hash(small_model()).size(), 16u);
  Model most = small_model();
  most.config.y_scale_most = 2;
  EXPECT_NE(content_hash(most), content_hash(small_model()));
}

TEST(Model, EveryCutIsRefused) {
  const std::string good = model_bytes(small_model());
  for (std::size_t size = 0; size < good.size(); size += 7) {
    EXPECT_NE(refusal(good.substr(0, size)), "accepted") << size;
  }
}

TEST(Model, NumbersThatAreNotFiniteAreRefused) {
  Model model = small_model();
  model.matrices["y_decoder"].values[2] = std::nanf("");
  EXPECT_THROW(model_bytes(model), Error);
  std::string bytes = model_bytes(small_model());
  bytes.replace(bytes.size() - 4, 4, std::string("\0\0\x80\x7f", 4));  // infinity
  EXPECT_NE(refusal(bytes).find("finite"), std::string::npos);
}

TEST(Model, AnUnknownNameSaysWhatThereIs) {
  // The presets whose model is embedded, in their order.
  std::string presets;
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (embedded.is_default)
      presets += (presets.empty() ? "" : ", ") + std::string(embedded.preset);
  }
  if (presets.empty()) presets = "the embedded ones (this build has none)";
  EXPECT_EQ(testing::error_of([] { load_model("/nowhere/at/all"); }),
            "no such model '/nowhere/at/all': it is neither a file nor one of " + presets);
  for (const EmbeddedModel& embedded : embedded_models()) {
    const Model model = load_model(std::string(embedded.name));
    EXPECT_EQ(model.config.preset, embedded.preset);
    // Named by its content: a file that was swapped or edited does not fit its name.
    const std::string hash = content_hash(model);
    EXPECT_EQ(std::string(embedded.name), model.config.preset + "-" + hash.substr(0, 8));
  }
}

// Read by a few lines that know the format and nothing of this project.
TEST(Model, PlainPythonReadsTheHeader) {
  if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  const std::string path = ::testing::TempDir() + "/python.safetensors";
  write_model(small_model(), path);
  const std::string script = ::testing::TempDir() + "/read_header.py";
  std::ofstream(script) << R"(
import json, struct, sys
data = open(sys.argv[1], "rb").read()
length, = struct.unpack("<Q", data[:8])
header = json.loads(data[8:8 + length])
metadata = header.pop("__metadata__")
assert all(isinstance(v, str) for v in metadata.values())
assert json.loads(metadata["config"])["hidden"] == 3
assert json.loads(metadata["provenance"])["seed"] == 7
end = 0
for name, tensor in header.items():
    begin, stop = tensor["data_offsets"]
    rows, cols = tensor["shape"]
    assert tensor["dtype"] == "F32" and begin == end and stop - begin == 4 * rows * cols
    end = stop
assert header["update.self"]["shape"] == [6, 3]
assert 8 + length + end == len(data) and (8 + length) % 8 == 0
)";
  EXPECT_EQ(std::system(("python3 " + script + " " + path).c_str()), 0);
}

}  // namespace
}  // namespace lodestar::model_test
