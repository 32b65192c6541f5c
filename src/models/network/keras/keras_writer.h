#pragma once
// Layers of Keras become layers of a network. Private to this room.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "keras/keras_model.h"
#include "network/network.h"

namespace culprit {

using KerasHypers = std::map<std::string, Hyper>;

/// What a layer takes: a value; with a role a parameter.
struct TakenValue {
  int value = -1;
  std::string role = {};
  std::string axes = {};
};

/// The network that is being made.
class KerasNetworkWriter {
 public:
  explicit KerasNetworkWriter(bool is_keras_2) : is_keras_2(is_keras_2) { network.format = "keras"; }

  int add_value(const std::string& name, bool is_visible);
  /// The same one for the same weight of the file, however often it is used.
  int constant_of(const KerasWeight& weight, const std::string& name);
  int add_constant(const std::string& name, Tensor tensor);
  /// As constant_of, of a tensor that is made of weights. `first` is one of these.
  int made_constant(const KerasWeight& first, const std::string& what, const std::string& name, Tensor tensor);
  /// Shape and type of a value, as far as they are not known yet.
  void declare(int value, bool has_dims, const std::vector<std::int64_t>& dims, DType dtype);
  NetworkValue& value(int number) { return network.values[static_cast<std::size_t>(number)]; }

  /// Counts calls, and values taken and given. Errors: unsupported, models in models make too many.
  Result<void> count(std::size_t more);

  Network network;
  const bool is_keras_2;

 private:
  std::size_t counted_ = 0;
  std::map<std::string, int> names_;  // how often each was wanted
  std::map<std::pair<const KerasWeight*, std::string>, int> constants_;
};

/// One call of one layer.
class KerasLayerWriter {
 public:
  KerasLayerWriter(KerasNetworkWriter& writer, const KerasLayer& layer, const KerasCall& call, std::string name,
                   std::vector<int> inputs, std::int64_t native)
      : writer_(writer),
        layer_(layer),
        call_(call),
        config_(&layer.config),
        name_(std::move(name)),
        inputs_(std::move(inputs)),
        native_(native) {}

  /// Where the work is that of a layer inside of another (TimeDistributed): its configuration, which outlives this, and
  /// the begin of its roles.
  void enter(const nlohmann::json& config, std::string role_begin) {
    config_ = &config;
    role_begin_ = std::move(role_begin);
  }

  [[nodiscard]] const KerasLayer& layer() const { return layer_; }
  [[nodiscard]] const KerasCall& call() const { return call_; }
  [[nodiscard]] const nlohmann::json& config() const { return *config_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<int>& inputs() const { return inputs_; }
  [[nodiscard]] bool is_keras_2() const { return writer_.is_keras_2; }
  [[nodiscard]] int input() const { return inputs_.empty() ? -1 : inputs_.front(); }
  /// Of the first input; 0 where it is not known.
  [[nodiscard]] std::size_t rank() const;
  [[nodiscard]] bool is_channels_last() const;

  /// nullptr: there is none.
  [[nodiscard]] const KerasWeight* weight(const std::string& role) const;
  [[nodiscard]] TakenValue parameter(const std::string& role, const std::string& as, const std::string& axes);
  /// Ones or zeros, as many as another weight has elements.
  [[nodiscard]] TakenValue filled(const std::string& like, float number, const std::string& role);
  TakenValue constant(const std::string& what, Tensor tensor, const std::string& role = "operand",
                      const std::string& axes = "");
  TakenValue made(const KerasWeight& first, const std::string& what, Tensor tensor, const std::string& role,
                  const std::string& axes);

  /// Adds a layer and gives its result, which nobody sees.
  int add(const std::string& type, const std::vector<TakenValue>& taken, KerasHypers hyper = {},
          const std::string& native_type = "", const std::string& inner_name = "");
  /// Errors: bad_input, a weight has not this rank.
  Result<void> expect_rank(const std::string& role, std::size_t rank) const;
  [[nodiscard]] Error wrong(const std::string& what) const;
  /// The layer that was added last; nullptr: none was.
  NetworkLayer* last();
  /// Gives the results their names. Several where more than one is used. They are those of the last layer.
  std::vector<int> finish(int outputs, const std::string& value_name);

 private:
  KerasNetworkWriter& writer_;
  const KerasLayer& layer_;
  const KerasCall& call_;
  const nlohmann::json* config_;
  std::string name_;
  std::vector<int> inputs_;
  std::int64_t native_;
  std::string role_begin_;
  int last_ = -1;
};

/// [2, 2] of [2, 2] and of 2, where `count` numbers are wanted; nothing where the configuration does not say.
std::vector<std::int64_t> numbers_in(const nlohmann::json& config, const char* name, std::size_t count);

/// The shape of what a layer gives, where it follows from that of what it takes.
void declare_result(KerasNetworkWriter& writer, const NetworkLayer& layer);

// The kinds of layers. Each says whether it knows this one; then it added it.
Result<bool> write_convolution(KerasLayerWriter& work, const std::string& kind);
Result<bool> write_dense(KerasLayerWriter& work, const std::string& kind);
Result<bool> write_normalization(KerasLayerWriter& work, const std::string& kind);
Result<bool> write_recurrent(KerasLayerWriter& work, const std::string& kind);
Result<bool> write_attention(KerasLayerWriter& work, const std::string& kind);
bool write_activation_layer(KerasLayerWriter& work, const std::string& kind);
bool write_shaping(KerasLayerWriter& work, const std::string& kind);
bool write_pooling(KerasLayerWriter& work, const std::string& kind);
bool write_merging(KerasLayerWriter& work, const std::string& kind);
bool write_function(KerasLayerWriter& work);
/// What has no word here: its class and all that it has.
void write_unknown(KerasLayerWriter& work);

/// The activation that the layer's configuration names, behind what was added. "linear" adds nothing.
void add_activation(KerasLayerWriter& work, const std::string& word);
/// "relu" of a word, a function of Keras, or a layer; "" where there is none.
std::string activation_in(const nlohmann::json& config, const char* name = "activation");

}  // namespace culprit
