#include "network/tensorflow/tensorflow_hyper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/tensorflow_operators.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::Attribute;
using tensorflow::Node;
using Integers = std::vector<std::int64_t>;

const Attribute* attribute_named(const Node& node, std::string_view name) {
  const auto found = node.attributes().find(std::string(name));
  return found == node.attributes().end() ? nullptr : &found->second;
}

Attribute& fresh_attribute(Node& node, std::string_view name) {
  Attribute& attribute = (*node.mutable_attributes())[std::string(name)];
  attribute.Clear();
  return attribute;
}

bool has_channels_second(const Node& node) {
  const Attribute* format = attribute_named(node, "data_format");
  return format != nullptr && format->word().starts_with("NC");
}

Integers list_in(const Attribute& attribute) {
  return {attribute.list().integers().begin(), attribute.list().integers().end()};
}

/// What stands for height and width in a list for [N, H, W, C] (or [N, C, H, W]).
Integers without_channels(Integers list, bool are_second) {
  if (list.size() < 3) return {};
  list.erase(list.begin());
  list.erase(are_second ? list.begin() : list.end() - 1);
  return list;
}

/// What nobody told about: its simple attributes as they are.
std::optional<Hyper> plain_hyper(const Attribute& attribute) {
  if (attribute.has_integer()) return attribute.integer();
  if (attribute.has_flag()) return std::int64_t{attribute.flag()};
  if (attribute.has_real()) return static_cast<double>(attribute.real());
  if (attribute.has_word()) return attribute.word();
  if (attribute.list().integers_size() > 0) return list_in(attribute);
  if (attribute.list().reals_size() > 0)
    return std::vector<double>(attribute.list().reals().begin(), attribute.list().reals().end());
  return std::nullopt;
}

std::optional<Hyper> known_hyper(const Node& node, const TensorflowAttribute& known) {
  const Attribute* given = attribute_named(node, known.name);
  if (given == nullptr && !known.preset) return std::nullopt;
  switch (known.kind) {
    case TensorflowWord::integer:
      return given == nullptr ? static_cast<std::int64_t>(*known.preset) : given->integer();
    case TensorflowWord::flag:
      return given == nullptr ? static_cast<std::int64_t>(*known.preset) : std::int64_t{given->flag()};
    case TensorflowWord::real:
      return given == nullptr ? *known.preset : static_cast<double>(given->real());
    case TensorflowWord::word:
      return given->word();
    case TensorflowWord::integers:
      if (given->list().integers_size() == 0) return std::nullopt;
      return list_in(*given);
    case TensorflowWord::spatial: {
      auto list = without_channels(list_in(*given), has_channels_second(node));
      if (list.empty()) return std::nullopt;
      return list;
    }
    case TensorflowWord::type:
      return static_cast<std::int64_t>(dtype_of_tensorflow(given->type()).value_or(DType::undefined));
  }
  return std::nullopt;
}

void read_padding(const Node& node, NetworkLayer& layer) {
  const Attribute* padding = attribute_named(node, "padding");
  if (padding == nullptr) return;
  if (padding->word() != "EXPLICIT") {
    layer.hyper["auto_pad"] = padding->word() == "SAME" ? std::string("SAME_UPPER") : padding->word();
    return;
  }
  const Attribute* given = attribute_named(node, "explicit_paddings");
  const Integers pairs = given == nullptr ? Integers() : list_in(*given);
  if (pairs.size() < 6 || pairs.size() % 2 != 0) return;
  Integers before, after;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    before.push_back(pairs[i]);
    after.push_back(pairs[i + 1]);
  }
  Integers pads = without_channels(before, has_channels_second(node));
  const Integers ends = without_channels(after, has_channels_second(node));
  pads.insert(pads.end(), ends.begin(), ends.end());
  layer.hyper["pads"] = std::move(pads);
}

bool flag_of(const Node& node, std::string_view name) {
  const Attribute* given = attribute_named(node, name);
  return given != nullptr && given->flag();
}

/// What ONNX says in words and TensorFlow by the name of the operator.
void read_name(const Node& node, NetworkLayer& layer) {
  const std::string& operation = node.op();
  if (operation == "Relu6") {
    layer.hyper["min"] = 0.0;
    layer.hyper["max"] = 6.0;
  }
  if (operation == "Elu") layer.hyper["alpha"] = 1.0;
  if (operation == "Selu") {
    layer.hyper["alpha"] = 1.6732632423543772;
    layer.hyper["gamma"] = 1.0507009873554805;
  }
  if (operation == "Softmax" || operation == "LogSoftmax") layer.hyper["axis"] = std::int64_t{-1};
  if (operation == "Gather") layer.hyper["axis"] = std::int64_t{0};
  if (operation == "Pad" || operation == "PadV2") layer.hyper["mode"] = std::string("constant");
  if (operation == "MirrorPad") {
    const Attribute* mode = attribute_named(node, "mode");
    layer.hyper["mode"] = std::string(mode != nullptr && mode->word() == "SYMMETRIC" ? "symmetric" : "reflect");
  }
  if (layer.type == "Resize") {
    layer.hyper["mode"] = std::string(operation == "ResizeBilinear" ? "linear" : "nearest");
    layer.hyper["coordinate_transformation_mode"] = std::string(flag_of(node, "align_corners")        ? "align_corners"
                                                                : flag_of(node, "half_pixel_centers") ? "half_pixel"
                                                                                                      : "asymmetric");
  }
}

std::optional<Integers> integers_in(const Hyper& hyper) {
  if (const auto* list = std::get_if<Integers>(&hyper)) return *list;
  if (const auto* one = std::get_if<std::int64_t>(&hyper)) return Integers{*one};
  return std::nullopt;
}

std::optional<double> number_in(const Hyper& hyper) {
  if (const auto* whole = std::get_if<std::int64_t>(&hyper)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&hyper)) return *real;
  return std::nullopt;
}

Error no_such_value(const Node& node, const std::string& name, const Hyper& hyper) {
  return {ErrorKind::unsupported,
          fmt::format("{} of TensorFlow's {} cannot be {}", name, printable(node.op(), 80), to_string(hyper)), ""};
}

void set_list(Node& node, std::string_view name, const Integers& list) {
  Attribute& attribute = fresh_attribute(node, name);
  for (const std::int64_t number : list) attribute.mutable_list()->add_integers(number);
}

/// [H, W] as a list for each dimension.
Integers with_channels(const Integers& list, bool are_second, std::int64_t others) {
  Integers all = list;
  all.insert(all.begin(), others);
  all.insert(are_second ? all.begin() + 1 : all.end(), others);
  return all;
}

bool set_known(Node& node, const TensorflowAttribute& known, const Hyper& hyper) {
  const auto number = number_in(hyper);
  const auto list = integers_in(hyper);
  const auto* text = std::get_if<std::string>(&hyper);
  switch (known.kind) {
    case TensorflowWord::integer:
      if (number) fresh_attribute(node, known.name).set_integer(static_cast<std::int64_t>(*number));
      return number.has_value();
    case TensorflowWord::flag:
      if (number) fresh_attribute(node, known.name).set_flag(*number != 0);
      return number.has_value();
    case TensorflowWord::real:
      if (number) fresh_attribute(node, known.name).set_real(static_cast<float>(*number));
      return number.has_value();
    case TensorflowWord::word:
      if (text != nullptr) fresh_attribute(node, known.name).set_word(*text);
      return text != nullptr;
    case TensorflowWord::integers:
      if (list) set_list(node, known.name, *list);
      return list.has_value();
    case TensorflowWord::spatial:
      if (list) set_list(node, known.name, with_channels(*list, has_channels_second(node), 1));
      return list.has_value();
    case TensorflowWord::type: {
      const auto type = number ? dtype_from_onnx(static_cast<std::int32_t>(*number)) : std::nullopt;
      const auto given = type ? tensorflow_type_of(*type) : std::nullopt;
      if (given) fresh_attribute(node, known.name).set_type(*given);
      return given.has_value();
    }
  }
  return false;
}

bool set_padding(Node& node, const std::string& name, const Hyper& hyper) {
  if (name == "auto_pad") {
    const auto* how = std::get_if<std::string>(&hyper);
    if (how == nullptr || *how == "SAME_LOWER") return false;
    if (*how == "NOTSET") return true;  // pads say it
    node.mutable_attributes()->erase("explicit_paddings");
    fresh_attribute(node, "padding").set_word(*how == "SAME_UPPER" ? "SAME" : *how);
    return true;
  }
  const auto pads = integers_in(hyper);
  if (!pads || pads->size() % 2 != 0) return false;
  node.mutable_attributes()->erase("explicit_paddings");
  if (std::ranges::all_of(*pads, [](std::int64_t pad) { return pad == 0; })) {
    fresh_attribute(node, "padding").set_word("VALID");
    return true;
  }
  if (node.op().find("3D") != std::string::npos || node.op() == "AvgPool") return false;
  const auto half = static_cast<std::ptrdiff_t>(pads->size() / 2);
  const bool are_second = has_channels_second(node);
  const Integers before = with_channels({pads->begin(), pads->begin() + half}, are_second, 0);
  const Integers after = with_channels({pads->begin() + half, pads->end()}, are_second, 0);
  Integers pairs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    pairs.push_back(before[i]);
    pairs.push_back(after[i]);
  }
  fresh_attribute(node, "padding").set_word("EXPLICIT");
  set_list(node, "explicit_paddings", pairs);
  return true;
}

bool set_resize_mode(Node& node, const Hyper& hyper) {
  const auto* how = std::get_if<std::string>(&hyper);
  if (how == nullptr || (*how != "align_corners" && *how != "half_pixel" && *how != "asymmetric")) return false;
  fresh_attribute(node, "align_corners").set_flag(*how == "align_corners");
  fresh_attribute(node, "half_pixel_centers").set_flag(*how == "half_pixel");
  return true;
}

}  // namespace

void read_tensorflow_hyper(const Node& node, NetworkLayer& layer) {
  layer.is_channels_last = knows_channels(layer.type) && !has_channels_second(node);
  const auto known = tensorflow_attributes(node.op());
  if (!known) {
    for (const auto& [name, attribute] : node.attributes())
      if (auto hyper = name.starts_with('_') ? std::nullopt : plain_hyper(attribute))
        layer.hyper[name] = std::move(*hyper);
    return;
  }
  for (const TensorflowAttribute& attribute : *known) {
    auto hyper = known_hyper(node, attribute);
    if (!hyper || (attribute.is_silent_if_preset && number_in(*hyper) == attribute.preset)) continue;
    layer.hyper[std::string(attribute.hyper)] = std::move(*hyper);
  }
  if (slides_in_tensorflow(node.op())) read_padding(node, layer);
  read_name(node, layer);
}

Result<bool> set_tensorflow_hyper(Node& node, const std::string& name, const Hyper& hyper) {
  const auto done = [&](bool is_set) -> Result<bool> {
    if (is_set) return true;
    return tl::unexpected(no_such_value(node, name, hyper));
  };
  if ((name == "pads" || name == "auto_pad") && slides_in_tensorflow(node.op()))
    return done(set_padding(node, name, hyper));
  if (name == "coordinate_transformation_mode" && onnx_type_of_tensorflow(node.op()) == "Resize")
    return done(set_resize_mode(node, hyper));
  const auto known = tensorflow_attributes(node.op());
  for (const TensorflowAttribute& attribute : known.value_or(std::vector<TensorflowAttribute>()))
    if (attribute.hyper == name) return done(set_known(node, attribute, hyper));
  NetworkLayer now;
  now.type = onnx_type_of_tensorflow(node.op());
  read_tensorflow_hyper(node, now);
  const auto said = now.hyper.find(name);  // by the operator's name: it is what it is
  if (said == now.hyper.end()) return false;
  return done(said->second == hyper);
}

}  // namespace culprit
