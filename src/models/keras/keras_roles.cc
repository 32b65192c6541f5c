#include "keras/keras_roles.h"

#include <array>
#include <cctype>
#include <initializer_list>

#include "base/text.h"

namespace culprit {
namespace {

using nlohmann::json;
using Roles = std::vector<KerasRole>;

constexpr std::array<std::string_view, 10> with_kernel{
    "Dense",           "Conv1D",          "Conv2D",          "Conv3D",          "Conv1DTranspose",
    "Conv2DTranspose", "Conv3DTranspose", "DepthwiseConv1D", "DepthwiseConv2D", "EinsumDense"};

Roles named(std::initializer_list<const char*> names, const std::string& group = "vars") {
  Roles roles;
  for (const char* name : names) roles.push_back({name, group});
  return roles;
}

Roles with_bias(Roles roles, bool has_bias) {
  if (has_bias) roles.push_back({"bias", roles.front().group});
  return roles;
}

bool has_bias(const std::string& class_name, const json& config) {
  if (class_name != "EinsumDense") return flag_in(config, "use_bias", true);
  return config.is_object() && config.contains("bias_axes") && !config["bias_axes"].is_null();
}

Roles of_normalization(const std::string& class_name, const json& config) {
  Roles roles;
  const bool has_rms_scaling = flag_in(config, "rms_scaling", false);
  if (flag_in(config, "scale", true) || has_rms_scaling) roles.push_back({"gamma", "vars"});
  if (flag_in(config, "center", true) && !has_rms_scaling) roles.push_back({"beta", "vars"});
  if (contains(class_name, "BatchNormalization"))
    for (const char* name : {"moving_mean", "moving_variance"}) roles.push_back({name, "vars"});
  return roles;
}

/// Those of an inner layer, under a name and a group of their own.
void add_inner(Roles& roles, const std::optional<Roles>& inner, const std::string& name, const std::string& group) {
  for (const KerasRole& role : *inner) roles.push_back({name + "/" + role.role, group + "/" + role.group, false});
}

std::optional<Roles> of_wrapper(const std::string& class_name, const json& config) {
  const auto of_layer = [&](const char* name) -> std::optional<Roles> {
    if (!config.is_object() || !config.contains(name) || !config[name].is_object()) return std::nullopt;
    const json& inner = config[name];
    const std::string inner_class = word_in(inner, "class_name");
    if (is_one_of(inner_class, {"Bidirectional", "TimeDistributed", "Wrapper"})) return std::nullopt;
    return keras_roles(inner_class, inner.contains("config") ? inner["config"] : json());
  };
  Roles roles;
  const auto inner = of_layer("layer");
  if (!inner) return std::nullopt;
  if (class_name == "TimeDistributed") {
    add_inner(roles, inner, "layer", "layer");
    return roles;
  }
  const auto backward = config.contains("backward_layer") ? of_layer("backward_layer") : inner;
  if (!backward) return std::nullopt;
  add_inner(roles, inner, "forward", "forward_layer");
  add_inner(roles, backward, "backward", "backward_layer");
  return roles;
}

Roles of_attention(const json& config) {
  Roles roles;
  for (const char* name : {"query", "key", "value", "output"}) {
    const std::string group = std::string(name) + "_dense/vars";
    roles.push_back({std::string(name) + "/kernel", group});
    if (flag_in(config, "use_bias", true)) roles.push_back({std::string(name) + "/bias", group});
  }
  return roles;
}

bool has_no_weights(const std::string& class_name) {
  return is_one_of(class_name,
                   {"Activation", "Add",      "Average",      "Concatenate", "Dot",     "Dropout",
                    "ELU",        "Flatten",  "LeakyReLU",    "Maximum",     "Minimum", "Multiply",
                    "Permute",    "ReLU",     "RepeatVector", "Rescaling",   "Reshape", "Resizing",
                    "Softmax",    "Subtract", "InputLayer",   "Identity",    "Masking", "ThresholdedReLU"}) ||
         contains(class_name, "Pooling") || contains(class_name, "Padding") || contains(class_name, "UpSampling") ||
         contains(class_name, "Cropping") || contains(class_name, "SpatialDropout");
}

/// Of a Normalization that was not fitted to data, the configuration tells mean and variance.
bool has_own_numbers(const json& config) {
  return config.is_object() && config.contains("mean") && !config["mean"].is_null();
}

bool is_upper(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }
bool is_lower(char letter) { return std::islower(static_cast<unsigned char>(letter)) != 0; }

}  // namespace

std::optional<Roles> keras_roles(const std::string& class_name, const json& config) {
  if (is_one_of(class_name, {"LSTM", "GRU", "SimpleRNN"}))
    return with_bias(named({"kernel", "recurrent_kernel"}, "cell/vars"), has_bias(class_name, config));
  if (is_one_of(class_name, with_kernel)) return with_bias(named({"kernel"}), has_bias(class_name, config));
  if (class_name.starts_with("SeparableConv"))
    return with_bias(named({"depthwise_kernel", "pointwise_kernel"}), has_bias(class_name, config));
  if (class_name == "Embedding") return named({"embeddings"});
  if (class_name == "PReLU") return named({"alpha"});
  if (class_name == "Normalization" && !has_own_numbers(config))
    return Roles{{"mean", "vars"}, {"variance", "vars"}, {"count", "vars", true}};
  if (class_name == "RMSNormalization") return named({"scale"});
  if (contains(class_name, "BatchNormalization") || is_one_of(class_name, {"LayerNormalization", "GroupNormalization"}))
    return of_normalization(class_name, config);
  if (is_one_of(class_name, {"Bidirectional", "TimeDistributed"})) return of_wrapper(class_name, config);
  if (class_name == "MultiHeadAttention" && !flag_in(config, "use_gate", false)) return of_attention(config);
  if (has_no_weights(class_name)) return Roles{};
  return std::nullopt;
}

std::string snake_case_of(const std::string& class_name) {
  std::string kept;
  for (const char letter : class_name)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_') kept += letter;
  std::string parted;  // before a capital that small letters follow
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const bool begins_word = i > 0 && is_upper(kept[i]) && i + 1 < kept.size() && is_lower(kept[i + 1]);
    if (begins_word) parted += '_';
    parted += kept[i];
  }
  std::string made;
  for (std::size_t i = 0; i < parted.size(); ++i) {
    if (i > 0 && is_upper(parted[i]) && is_lower(parted[i - 1])) made += '_';
    made += static_cast<char>(std::tolower(static_cast<unsigned char>(parted[i])));
  }
  return made;
}

}  // namespace culprit
