// The command line of a program that measures models: options, and names of models (files, or those
// of learn/models/INDEX.json).
//
//   std::uint32_t count = 64;
//   bench::ModelArguments arguments("bench/tail.cpp");
//   arguments.take("--count", count);
//   arguments.parse(argc, argv, "deep");                // deep, if no model is named
//   for (const Model& model : arguments.load()) …
#pragma once

#include <concepts>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lodestar/model.h"

namespace lodestar::bench {

using Words = std::vector<std::string>;

inline void read_value(const std::string& text, std::string& value) {
  value = text;
}
inline void read_value(const std::string& text, Words& value) {
  value.clear();
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) value.push_back(word);
}
template <std::unsigned_integral Number>
void read_value(const std::string& text, Number& value) {
  std::size_t used = 0;
  const unsigned long long number = std::stoull(text, &used);
  if (used != text.size() || text.starts_with('-') || !std::in_range<Number>(number)) {
    throw Error("not a number that fits");
  }
  value = static_cast<Number>(number);
}
template <std::floating_point Number>
void read_value(const std::string& text, Number& value) {
  std::size_t used = 0;
  value = static_cast<Number>(std::stod(text, &used));
  if (used != text.size()) throw Error("not a number");
}

class ModelArguments {
 public:
  // `source` is where a reader finds the options explained.
  explicit ModelArguments(std::string source) : source_(std::move(source)) {}

  // An option with a value; of several values for a list: --sizes 64,256.
  template <class Value>
  void take(const std::string& name, Value& value) {
    options_.push_back(
        {name, true, [&value](const std::string& text) { read_value(text, value); }});
  }
  void flag(const std::string& name, bool& value) {
    options_.push_back({name, false, [&value](const std::string&) { value = true; }});
  }

  // Throws Error on what is not known or has no value. Without a model named, `otherwise` is taken;
  // when that is empty too, it throws.
  void parse(int argc, char** argv, const std::string& otherwise) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--")) {
        names_.push_back(word);
        continue;
      }
      const Option& option = find(word);
      if (option.has_value && ++i == argc) throw Error(word + " needs a value");
      try {
        option.read(option.has_value ? argv[i] : "");
      } catch (const std::exception& error) {
        throw Error(word + " " + argv[i] + ": " + error.what());
      }
    }
    if (names_.empty() && !otherwise.empty()) names_ = {otherwise};
    if (names_.empty()) throw Error("name models: files, or those of learn/models/INDEX.json");
  }

  const Words& names() const { return names_; }
  std::vector<Model> load() const {
    std::vector<Model> models;
    for (const std::string& name : names_) models.push_back(load_model(name));
    return models;
  }

 private:
  struct Option {
    std::string name;
    bool has_value;
    std::function<void(const std::string&)> read;
  };

  const Option& find(const std::string& word) const {
    for (const Option& option : options_) {
      if (option.name == word) return option;
    }
    throw Error(word + ": unknown; the head of " + source_ + " lists the options");
  }

  std::string source_;
  std::vector<Option> options_;
  Words names_;
};

}  // namespace lodestar::bench
