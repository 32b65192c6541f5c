#include "network/keras/keras_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/as_index.h"
#include "base/text.h"
#include "network/operator_rule.h"

namespace culprit {
namespace {

constexpr std::size_t longest_list = 64;  // no list of sizes or axes is longer

}  // namespace

Result<void> KerasNetworkWriter::count(std::size_t more) {
  constexpr std::size_t most = 1'000'000;
  counted_ += std::min(more, most);
  if (counted_ <= most) return {};
  return fail(ErrorKind::unsupported,
              "the models in it call each other so often that more than a million values come of it");
}

int KerasNetworkWriter::add_value(const std::string& name, bool is_visible) {
  NetworkValue& made = network.values.emplace_back();
  if (is_visible) {
    const int before = names_[name]++;
    made.name = before == 0 ? name : fmt::format("{}#{}", name, before);
  }
  made.is_visible = is_visible;
  return static_cast<int>(network.values.size()) - 1;
}

int KerasNetworkWriter::add_constant(const std::string& name, Tensor tensor) {
  const int number = add_value(name, true);
  NetworkValue& made = value(number);
  made.dtype = tensor.dtype();
  made.has_rank = true;
  made.dims = tensor.shape();
  made.constant = std::move(tensor);
  return number;
}

int KerasNetworkWriter::constant_of(const KerasWeight& weight, const std::string& name) {
  return made_constant(weight, "", name, weight.tensor);
}

int KerasNetworkWriter::made_constant(const KerasWeight& first, const std::string& what, const std::string& name,
                                      Tensor tensor) {
  const auto [place, is_new] = constants_.try_emplace({&first, what}, -1);
  if (is_new) place->second = add_constant(name, std::move(tensor));
  return place->second;
}

void KerasNetworkWriter::declare(int number, bool has_dims, const std::vector<std::int64_t>& dims, DType dtype) {
  NetworkValue& known = value(number);
  if (known.dtype == DType::undefined) known.dtype = dtype;
  if (!has_dims) return;
  if (known.has_rank && known.dims.size() == dims.size()) {
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (known.dims[i] < 0) known.dims[i] = dims[i];
  } else if (!known.has_rank) {
    known.has_rank = true;
    known.dims = dims;
  }
}

std::size_t KerasLayerWriter::rank() const {
  if (input() < 0) return 0;
  const NetworkValue& value = writer_.value(input());
  return value.has_rank ? value.dims.size() : 0;
}

bool KerasLayerWriter::is_channels_last() const {
  return word_in(*config_, "data_format", "channels_last") != "channels_first";
}

const KerasWeight* KerasLayerWriter::weight(const std::string& role) const {
  const auto found = std::ranges::find(layer_.weights, role_begin_ + role, &KerasWeight::role);
  return found == layer_.weights.end() ? nullptr : &*found;
}

TakenValue KerasLayerWriter::parameter(const std::string& role, const std::string& as, const std::string& axes) {
  const KerasWeight* found = weight(role);
  if (found == nullptr) return {};
  return {writer_.constant_of(*found, name_ + "/" + role), as, axes};
}

TakenValue KerasLayerWriter::filled(const std::string& like, float number, const std::string& role) {
  const KerasWeight* found = weight(like);
  if (found == nullptr) return {};
  const Shape& shape = found->tensor.shape();
  const std::vector<float> numbers(static_cast<std::size_t>(found->tensor.count()), number);
  return made(*found, "filled " + role, Tensor::of(shape, numbers), role, "C");
}

TakenValue KerasLayerWriter::constant(const std::string& what, Tensor tensor, const std::string& role,
                                      const std::string& axes) {
  return {writer_.add_constant(name_ + "/" + what, std::move(tensor)), role, axes};
}

TakenValue KerasLayerWriter::made(const KerasWeight& first, const std::string& what, Tensor tensor,
                                  const std::string& role, const std::string& axes) {
  return {writer_.made_constant(first, what, name_ + "/" + what, std::move(tensor)), role, axes};
}

int KerasLayerWriter::add(const std::string& type, const std::vector<TakenValue>& taken, KerasHypers hyper,
                          const std::string& native_type, const std::string& inner_name) {
  NetworkLayer layer;
  layer.name = inner_name.empty() ? name_ : name_ + "/" + inner_name;
  layer.type = type;
  layer.native_type = native_type.empty() ? layer_.class_name : native_type;
  layer.native = native_;
  layer.hyper = std::move(hyper);
  layer.is_channels_last = knows_channels(type) && is_channels_last();
  for (std::size_t at = 0; at < taken.size(); ++at) {
    layer.inputs.push_back(taken[at].value);
    const bool is_constant = taken[at].value >= 0 && writer_.value(taken[at].value).constant;
    if (is_constant)
      layer.parameters.push_back(
          {taken[at].value, at, taken[at].role.empty() ? "operand" : taken[at].role, taken[at].axes});
  }
  while (!layer.inputs.empty() && layer.inputs.back() < 0) layer.inputs.pop_back();
  last_ = static_cast<int>(writer_.network.layers.size());
  const int result = writer_.add_value("", false);
  writer_.value(result).made_by = last_;
  layer.outputs = {result};
  declare_result(writer_, layer);
  writer_.network.layers.push_back(std::move(layer));
  return result;
}

Error KerasLayerWriter::wrong(const std::string& what) const {
  return {ErrorKind::bad_input,
          fmt::format("the layer {} ({}) {}", printable(name_, 200), printable(layer_.class_name, 100), what),
          "The file is damaged: save the whole model again with 'model.save'"};
}

Result<void> KerasLayerWriter::expect_rank(const std::string& role, std::size_t rank) const {
  const KerasWeight* found = weight(role);
  if (found == nullptr) return tl::unexpected(wrong("has no weight " + role));
  if (found->tensor.shape().size() == rank) return {};
  return tl::unexpected(wrong(fmt::format("has a weight {} of the shape {}", role, to_string(found->tensor.shape()))));
}

NetworkLayer* KerasLayerWriter::last() { return last_ < 0 ? nullptr : &writer_.network.layers[as_index(last_)]; }

std::vector<int> KerasLayerWriter::finish(int outputs, const std::string& value_name) {
  if (last_ < 0) add("Identity", {{input()}});
  // The first result has no name yet; it gets one as a new value would.
  const int named = writer_.add_value(value_name, true);
  NetworkLayer& layer = *last();
  writer_.value(layer.outputs.front()).name = writer_.value(named).name;
  writer_.value(layer.outputs.front()).is_visible = true;
  writer_.network.values.pop_back();
  std::vector<int> results = layer.outputs;
  for (int i = 1; i < outputs; ++i) {
    results.push_back(writer_.add_value(fmt::format("{}[{}]", value_name, i), true));
    writer_.value(results.back()).made_by = last_;
  }
  layer.outputs = results;
  return results;
}

std::vector<std::int64_t> numbers_in(const nlohmann::json& config, const char* name, std::size_t count) {
  if (!config.is_object() || !config.contains(name)) return {};
  const nlohmann::json& told = config[name];
  if (told.is_number_integer()) return std::vector<std::int64_t>(count, told.get<std::int64_t>());
  std::vector<std::int64_t> numbers;
  if (!told.is_array() || told.size() > longest_list) return {};
  for (const nlohmann::json& one : told) {
    if (!one.is_number_integer()) return {};
    numbers.push_back(one.get<std::int64_t>());
  }
  return numbers;
}

}  // namespace culprit
