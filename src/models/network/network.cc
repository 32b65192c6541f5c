#include "network/network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

template <class Number>
std::string listed(const std::vector<Number>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const Number number : numbers) words.push_back(fmt::format("{}", number));
  return "[" + join(words, ", ") + "]";
}

Error bad_scales(const NetworkValue& value) {
  return {ErrorKind::bad_input,
          fmt::format("the scales of {} do not fit its shape {}", printable(value.name),
                      to_string(value.constant->shape())),
          ""};
}

/// How many elements follow each other under one scale.
Result<std::int64_t> run_of_one_scale(const NetworkValue& value) {
  const Quantization& by = *value.quantization;
  const Shape& shape = value.constant->shape();
  if (!by.zero_point.empty() && by.zero_point.size() != by.scale.size()) return tl::unexpected(bad_scales(value));
  if (by.scale.size() == 1) return std::max<std::int64_t>(1, value.constant->count());
  const auto rank = static_cast<int>(shape.size());
  if (by.axis < 0 || by.axis >= rank || shape[static_cast<std::size_t>(by.axis)] != std::ssize(by.scale))
    return tl::unexpected(bad_scales(value));
  std::int64_t run = 1;
  for (auto i = static_cast<std::size_t>(by.axis) + 1; i < shape.size(); ++i) run *= shape[i];
  return std::max<std::int64_t>(1, run);
}

}  // namespace

std::string to_string(const Hyper& hyper) {
  return std::visit(Overloaded{[](std::int64_t number) { return std::to_string(number); },
                               [](double number) { return fmt::format("{}", number); },
                               [](const std::string& word) { return printable(word, 100); },
                               [](const auto& list) { return listed(list); }},
                    hyper);
}

Hyper hyper_of_constant(const Tensor& tensor) {
  constexpr std::int64_t most = 1000;
  const auto numbers_as = [&]<class Number>(Number /*type*/, const auto& number) -> Hyper {
    std::vector<Number> numbers;
    for (std::int64_t i = 0; i < std::min(tensor.count(), most); ++i) numbers.push_back(number(i));
    if (tensor.shape().empty()) return numbers.front();
    return numbers;
  };
  if (tensor.dtype() == DType::i64)
    return numbers_as(std::int64_t{},
                      [&](std::int64_t i) { return tensor.as<std::int64_t>()[static_cast<std::size_t>(i)]; });
  if (tensor.dtype() == DType::i32)
    return numbers_as(std::int64_t{}, [&](std::int64_t i) {
      return std::int64_t{tensor.as<std::int32_t>()[static_cast<std::size_t>(i)]};
    });
  return numbers_as(double{}, [&](std::int64_t i) { return tensor.number(i); });
}

std::vector<std::vector<int>> users_of(const Network& network) {
  std::vector<std::vector<int>> users(network.values.size());
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
    for (const int input : network.layers[layer].inputs)
      if (input >= 0 && (users[static_cast<std::size_t>(input)].empty() ||
                         users[static_cast<std::size_t>(input)].back() != static_cast<int>(layer)))
        users[static_cast<std::size_t>(input)].push_back(static_cast<int>(layer));
  return users;
}

const Parameter* parameter_of(const NetworkLayer& layer, std::string_view role) {
  const auto found = std::ranges::find(layer.parameters, role, &Parameter::role);
  return found == layer.parameters.end() ? nullptr : &*found;
}

Result<Tensor> real_constant(const NetworkValue& value) {
  if (!value.quantization || value.quantization->scale.empty()) return *value.constant;
  const auto run = run_of_one_scale(value);
  if (!run) return tl::unexpected(run.error());
  const Quantization& by = *value.quantization;
  const Tensor& stored = *value.constant;
  std::vector<float> real(static_cast<std::size_t>(stored.count()));
  for (std::int64_t i = 0; i < stored.count(); ++i) {
    const auto slice = static_cast<std::size_t>(i / *run) % by.scale.size();
    const std::int64_t zero = by.zero_point.empty() ? 0 : by.zero_point[slice];
    real[static_cast<std::size_t>(i)] =
        static_cast<float>(by.scale[slice] * (stored.number(i) - static_cast<double>(zero)));
  }
  return Tensor::of(stored.shape(), real);
}

}  // namespace culprit
