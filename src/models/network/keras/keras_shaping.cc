// Layers of Keras without weights: what moves, pools and joins.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using nlohmann::json;
using Integers = std::vector<std::int64_t>;

std::size_t dimensions_in(const std::string& kind) {
  for (const std::size_t count : {1, 2, 3})
    if (contains(kind, std::to_string(count) + "D")) return count;
  return 2;
}

/// [[top, bottom], [left, right]], [top, left] or one number, as {before, after} of each dimension.
std::optional<std::pair<Integers, Integers>> sides_in(const json& config, const char* name, std::size_t count) {
  if (!config.is_object() || !config.contains(name)) return std::nullopt;
  const json& told = config[name];
  std::pair<Integers, Integers> sides;
  if (told.is_array() && told.size() == count &&
      std::ranges::all_of(told, [](const json& one) { return one.is_array(); })) {
    for (const json& one : told) {
      if (one.size() != 2 || !one[0].is_number_integer() || !one[1].is_number_integer()) return std::nullopt;
      sides.first.push_back(one[0].get<std::int64_t>());
      sides.second.push_back(one[1].get<std::int64_t>());
    }
    return sides;
  }
  const Integers numbers = numbers_in(config, name, count);
  if (count == 1 && numbers.size() == 2) return std::pair(Integers{numbers[0]}, Integers{numbers[1]});
  if (numbers.size() != count) return std::nullopt;
  return std::pair(numbers, numbers);
}

/// A list for height and width as one for all dimensions.
template <class Number>
std::vector<Number> for_all_axes(std::vector<Number> spatial, bool is_last, Number others) {
  spatial.insert(spatial.begin(), others);
  spatial.insert(is_last ? spatial.end() : spatial.begin() + 1, others);
  return spatial;
}

bool write_padding(KerasLayerWriter& work, const std::string& kind) {
  const auto sides = sides_in(work.config(), "padding", dimensions_in(kind));
  if (!sides) return false;
  Integers pads = for_all_axes<std::int64_t>(sides->first, work.is_channels_last(), 0);
  const Integers after = for_all_axes<std::int64_t>(sides->second, work.is_channels_last(), 0);
  pads.insert(pads.end(), after.begin(), after.end());
  work.add("Pad", {{work.input()}}, {{"pads", std::move(pads)}, {"mode", std::string("constant")}});
  return true;
}

bool write_cropping(KerasLayerWriter& work, const std::string& kind) {
  const auto sides = sides_in(work.config(), "cropping", dimensions_in(kind));
  if (!sides) return false;
  Integers ends, axes;
  for (std::size_t i = 0; i < sides->second.size(); ++i) {
    const std::int64_t cut = sides->second[i];
    ends.push_back(cut > 0 ? -cut : INT64_MAX);
    axes.push_back(static_cast<std::int64_t>(i) + (work.is_channels_last() ? 1 : 2));
  }
  work.add("Slice", {{work.input()}}, {{"starts", sides->first}, {"ends", std::move(ends)}, {"axes", std::move(axes)}});
  return true;
}

bool write_up_sampling(KerasLayerWriter& work, const std::string& kind) {
  const Integers sizes = numbers_in(work.config(), "size", dimensions_in(kind));
  if (sizes.empty()) return false;
  const std::vector<double> scales(sizes.begin(), sizes.end());
  const std::string how = word_in(work.config(), "interpolation", "nearest");
  work.add("Resize", {{work.input()}},
           {{"scales", for_all_axes<double>(scales, work.is_channels_last(), 1)},
            {"mode", how == "bilinear" ? std::string("linear") : how},
            {"coordinate_transformation_mode", std::string("half_pixel")}});
  return true;
}

bool write_resizing(KerasLayerWriter& work) {
  const double height = number_in(work.config(), "height", 0), width = number_in(work.config(), "width", 0);
  if (height <= 0 || width <= 0 || height > INT32_MAX || width > INT32_MAX) return false;
  if (flag_in(work.config(), "crop_to_aspect_ratio", false)) return false;
  const std::string how = word_in(work.config(), "interpolation", "bilinear");
  work.add("Resize", {{work.input()}},
           {{"sizes", Integers{static_cast<std::int64_t>(height), static_cast<std::int64_t>(width)}},
            {"mode", how == "bilinear" ? std::string("linear") : how},
            {"coordinate_transformation_mode", std::string("half_pixel")}});
  return true;
}

/// The batch stays what it is.
bool write_reshape(KerasLayerWriter& work) {
  Integers shape = numbers_in(work.config(), "target_shape", 1);
  const bool is_open = std::ranges::find(shape, -1) != shape.end();
  shape.insert(shape.begin(), is_open ? 0 : -1);
  work.add("Reshape", {{work.input()}}, {{"shape", std::move(shape)}});
  return true;
}

bool write_permute(KerasLayerWriter& work) {
  Integers order = numbers_in(work.config(), "dims", 1);
  if (order.empty()) return false;
  order.insert(order.begin(), 0);
  work.add("Transpose", {{work.input()}}, {{"perm", std::move(order)}});
  return true;
}

/// x * scale + offset.
bool write_rescaling(KerasLayerWriter& work) {
  const auto number = [&](const char* name) -> std::optional<float> {
    const json& told = work.config().contains(name) ? work.config()[name] : json();
    return told.is_number() ? std::optional(told.get<float>()) : std::nullopt;
  };
  const auto scale = number("scale");
  const auto offset = work.config().contains("offset") ? number("offset") : std::optional(0.0F);
  if (!scale || !offset) return false;
  const int product = work.add("Mul", {{work.input()}, work.constant("scale", Tensor::of<float>({}, {*scale}))});
  if (*offset != 0) work.add("Add", {{product}, work.constant("offset", Tensor::of<float>({}, {*offset}))});
  return true;
}

void write_over_all(KerasLayerWriter& work, const std::string& kind) {
  Integers axes;
  for (std::size_t i = 0; i < dimensions_in(kind); ++i)
    axes.push_back(static_cast<std::int64_t>(i) + (work.is_channels_last() ? 1 : 2));
  work.add(contains(kind, "Max") ? "ReduceMax" : "ReduceMean", {{work.input()}},
           {{"axes", std::move(axes)}, {"keepdims", std::int64_t{flag_in(work.config(), "keepdims", false)}}});
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> joining{{{"Add", "Add"},
                                                                                {"Subtract", "Sub"},
                                                                                {"Multiply", "Mul"},
                                                                                {"Average", "Mean"},
                                                                                {"Maximum", "Max"},
                                                                                {"Minimum", "Min"},
                                                                                {"Concatenate", "Concat"}}};

}  // namespace

bool write_shaping(KerasLayerWriter& work, const std::string& kind) {
  if (is_one_of(kind, {"Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "AlphaDropout"})) {
    work.add("Dropout", {{work.input()}}, {{"ratio", number_in(work.config(), "rate", 0)}});
    return true;
  }
  if (is_one_of(kind, {"Identity", "GaussianNoise", "GaussianDropout", "ActivityRegularization"})) {
    work.add("Identity", {{work.input()}});
    return true;
  }
  if (kind == "Flatten") {
    work.add("Flatten", {{work.input()}}, {{"axis", std::int64_t{1}}});
    return true;
  }
  if (kind == "Reshape") return write_reshape(work);
  if (kind == "Permute") return write_permute(work);
  if (kind == "Rescaling") return write_rescaling(work);
  if (kind == "Resizing") return write_resizing(work);
  if (kind.starts_with("ZeroPadding")) return write_padding(work, kind);
  if (kind.starts_with("Cropping")) return write_cropping(work, kind);
  return kind.starts_with("UpSampling") && write_up_sampling(work, kind);
}

bool write_pooling(KerasLayerWriter& work, const std::string& kind) {
  if (!contains(kind, "Pooling") || kind.starts_with("Adaptive")) return false;
  if (kind.starts_with("Global")) {
    write_over_all(work, kind);
    return true;
  }
  const std::size_t count = dimensions_in(kind);
  Integers sizes = numbers_in(work.config(), "pool_size", count);
  if (sizes.size() != count) sizes.assign(count, 2);
  Integers strides = numbers_in(work.config(), "strides", count);
  if (strides.size() != count) strides = sizes;
  work.add(kind.starts_with("Max") ? "MaxPool" : "AveragePool", {{work.input()}},
           {{"kernel_shape", std::move(sizes)},
            {"strides", std::move(strides)},
            {"auto_pad", std::string(word_in(work.config(), "padding", "valid") == "same" ? "SAME_UPPER" : "VALID")}});
  return true;
}

bool write_merging(KerasLayerWriter& work, const std::string& kind) {
  const auto* known = std::ranges::find(joining, kind, &std::pair<std::string_view, std::string_view>::first);
  if (known == joining.end() || work.inputs().empty()) return false;
  std::vector<TakenValue> taken;
  for (const int input : work.inputs()) taken.push_back({input});
  if (kind == "Concatenate") {
    const auto axes = numbers_in(work.config(), "axis", 1);
    work.add("Concat", taken, {{"axis", axes.empty() ? std::int64_t{-1} : axes.front()}});
  } else if (kind == "Multiply" && taken.size() > 2) {
    int product = taken[0].value;
    for (std::size_t i = 1; i < taken.size(); ++i) product = work.add("Mul", {{product}, taken[i]});
  } else {
    work.add(kind == "Add" && taken.size() > 2 ? "Sum" : std::string(known->second), taken);
  }
  return true;
}

}  // namespace culprit
