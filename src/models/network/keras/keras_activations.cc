// Activations of Keras, in layers of their own and at the end of others.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array activations{Word{"relu", "Relu"},
                                 Word{"relu6", "Clip"},
                                 Word{"sigmoid", "Sigmoid"},
                                 Word{"tanh", "Tanh"},
                                 Word{"softmax", "Softmax"},
                                 Word{"log_softmax", "LogSoftmax"},
                                 Word{"elu", "Elu"},
                                 Word{"selu", "Selu"},
                                 Word{"softplus", "Softplus"},
                                 Word{"softsign", "Softsign"},
                                 Word{"gelu", "Gelu"},
                                 Word{"hard_sigmoid", "HardSigmoid"},
                                 Word{"swish", "Swish"},
                                 Word{"silu", "Swish"},
                                 Word{"hard_silu", "HardSwish"},
                                 Word{"mish", "Mish"},
                                 Word{"hard_swish", "HardSwish"},
                                 Word{"leaky_relu", "LeakyRelu"},
                                 Word{"exponential", "Exp"},
                                 Word{"celu", "Celu"},
                                 Word{"Swish", "Swish"}};

KerasHypers hyper_of_activation(const std::string& word, bool is_keras_2) {
  if (word == "relu6") return {{"min", 0.0}, {"max", 6.0}};
  if (word == "softmax" || word == "log_softmax") return {{"axis", std::int64_t{-1}}};
  if (word == "elu" || word == "celu") return {{"alpha", 1.0}};
  if (word == "selu") return {{"alpha", 1.6732632423543772}, {"gamma", 1.0507009873554805}};
  if (word == "gelu") return {{"approximate", std::string("none")}};
  if (word == "leaky_relu") return {{"alpha", 0.2}};
  if (word == "hard_sigmoid") return {{"alpha", is_keras_2 ? 0.2 : 1.0 / 6.0}, {"beta", 0.5}};
  return {};
}

/// relu with a maximum, a slope below and a threshold.
void write_relu(KerasLayerWriter& work, double most, double slope, double threshold) {
  const bool has_most = most < std::numeric_limits<double>::infinity();
  if (threshold != 0 || (has_most && slope != 0)) {
    KerasHypers hyper{{"negative_slope", slope}, {"threshold", threshold}};
    if (has_most) hyper["max_value"] = most;
    work.add("ReLU", {{work.input()}}, std::move(hyper));
  } else if (has_most) {
    work.add("Clip", {{work.input()}}, {{"min", 0.0}, {"max", most}});
  } else if (slope != 0) {
    work.add("LeakyRelu", {{work.input()}}, {{"alpha", slope}});
  } else {
    work.add("Relu", {{work.input()}});
  }
}

std::int64_t axis_of(const nlohmann::json& config) {
  const auto axes = numbers_in(config, "axis", 1);
  return axes.empty() ? -1 : axes.front();
}

}  // namespace

std::string activation_in(const nlohmann::json& config, const char* name) {
  if (!config.is_object() || !config.contains(name)) return "";
  const nlohmann::json& told = config[name];
  if (told.is_string()) return told.get<std::string>();
  if (!told.is_object()) return "";
  std::string kind = word_in(told, "class_name");
  if (kind != "function") return kind;
  return told["config"].is_object() ? word_in(told["config"], "name") : word_in(told, "config");
}

void add_activation(KerasLayerWriter& work, const std::string& word) {
  if (word.empty() || word == "linear") return;
  const NetworkLayer* before = work.last();
  const int input = before == nullptr ? work.input() : before->outputs.front();
  const nlohmann::json& told = work.config().contains("activation") ? work.config()["activation"] : nlohmann::json();
  const auto* known = std::ranges::find(activations, word, &Word::first);
  const std::string type(known == activations.end() ? word : known->second);
  KerasHypers hyper = hyper_of_activation(word, work.is_keras_2());
  if (told.is_object() && told.contains("config") && told["config"].is_object()) {  // a layer
    for (const char* name : {"alpha", "negative_slope", "max_value", "threshold", "theta", "axis"})
      if (told["config"].contains(name) && told["config"][name].is_number())
        hyper[name] = told["config"][name].get<double>();
  }
  work.add(type, {{input}}, std::move(hyper), word);
}

bool write_activation_layer(KerasLayerWriter& work, const std::string& kind) {
  const nlohmann::json& config = work.config();
  if (kind == "Activation") {
    const std::string word = activation_in(config);
    if (word.empty() || word == "linear")
      work.add("Identity", {{work.input()}});
    else
      add_activation(work, word);
  } else if (kind == "ReLU") {
    const double slope = number_in(config, "negative_slope", 0);
    write_relu(work, number_in(config, "max_value", std::numeric_limits<double>::infinity()), slope,
               number_in(config, "threshold", 0));
  } else if (kind == "LeakyReLU") {
    const double preset = number_in(config, "alpha", 0.3);  // its name in Keras 2
    work.add("LeakyRelu", {{work.input()}}, {{"alpha", number_in(config, "negative_slope", preset)}});
  } else if (kind == "ELU") {
    work.add("Elu", {{work.input()}}, {{"alpha", number_in(config, "alpha", 1)}});
  } else if (kind == "ThresholdedReLU") {
    work.add("ThresholdedRelu", {{work.input()}}, {{"alpha", number_in(config, "theta", 1)}});
  } else if (kind == "Softmax") {
    work.add("Softmax", {{work.input()}}, {{"axis", axis_of(config)}});
  } else if (kind == "PReLU" && work.weight("alpha") != nullptr) {
    work.add("PRelu", {{work.input()}, work.parameter("alpha", "slope", "")});
  } else {
    return false;
  }
  return true;
}

}  // namespace culprit
