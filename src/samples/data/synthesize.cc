#include "data/synthesize.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include "base/random.h"
#include "data/pictures_and_sounds.h"
#include "data/random_structures.h"
#include "data/random_values.h"
#include "data/size_guesses.h"

namespace culprit {
namespace {

constexpr std::uint64_t byte_limit = UINT64_C(4) << 30;  // of one input; more is a mistake in a size, not a sample
constexpr std::array<const char*, 12> words = {"the", "a",    "cat", "dog",  "runs", "sees",
                                               "red", "blue", "old", "tree", "and",  "not"};

struct IntegerRange {
  std::int64_t low, high;
};

std::string help_for(const ValueInfo& value) { return "give it with --input " + value.name + "=FILE or VALUE"; }

/// What one input of one sample is drawn from.
struct Task {
  const ValueInfo& value;
  const SynthesisPlan& plan;
  Shape shape;
  std::size_t count;
  std::uint64_t seed = 0;
  std::int64_t index = 0;
  Stop stop = {};

  [[nodiscard]] Random random(const std::string& of_what = "") const {
    return {seed, value.name + "#" + std::to_string(index) + of_what};
  }
};

IntegerRange range_for(const ValueInfo& value, const SynthesisPlan& plan) {
  if (const auto fixed = plan.values.find(value.name); fixed != plan.values.end())
    return {fixed->second, fixed->second};
  if (value.dims.size() >= 3 && value.dtype == DType::u8) return {0, 255};
  if (value.dims.size() >= 3 && value.dtype == DType::i8) return {-128, 127};
  return {plan.integer_low, plan.integer_high};
}

Result<Tensor> draw_strings(const Task& task) {
  Random random = task.random();
  std::vector<std::string> drawn(task.count);
  for (std::size_t i = 0; i < task.count && !is_stopped_at(i, task.stop); ++i)
    drawn[i] = words[static_cast<std::size_t>(random.between(0, words.size() - 1))];
  return Tensor::from_strings(task.shape, std::move(drawn));
}

Result<Tensor> draw_bools(const Task& task) {
  Random random = task.random();
  std::vector<std::byte> drawn(task.count);
  for (std::size_t i = 0; i < task.count && !is_stopped_at(i, task.stop); ++i)
    drawn[i] = static_cast<std::byte>(random.between(0, 1));
  return Tensor::from_bytes(DType::boolean, task.shape, std::move(drawn));
}

Result<Tensor> draw_integers(const Task& task) {
  Random random = task.random();
  const IntegerRange range = range_for(task.value, task.plan);
  std::vector<std::int64_t> drawn(task.count);
  for (std::size_t i = 0; i < task.count && !is_stopped_at(i, task.stop); ++i)
    drawn[i] = random.between(range.low, range.high);
  if (is_stopped(task.stop)) return ended_early();
  return cast(Tensor::of<std::int64_t>(task.shape, drawn), task.value.dtype);
}

/// Are its open dimensions those of a picture? A cache [batch, 4 heads, length, size] is none.
bool may_be_picture(const ValueInfo& value) {
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    const DimKind kind = kind_of(value, axis);
    if (is_open(value.dims[axis]) && (kind == DimKind::length || kind == DimKind::past)) return false;
  }
  return true;
}

/// The axis along which sound runs, if all others but the batch are 1.
std::optional<std::size_t> sound_axis(const Task& task) {
  constexpr std::int64_t shortest = 256, surely = 4000;  // samples
  const auto longest = std::ranges::max_element(task.shape);
  if (task.shape.size() < 2 || task.shape.size() > 3 || *longest < shortest) return std::nullopt;
  const auto axis = static_cast<std::size_t>(longest - task.shape.begin());
  for (std::size_t other = 1; other < task.shape.size(); ++other) {
    if (other != axis && task.shape[other] != 1) return std::nullopt;
  }
  const bool is_open_sound = is_open(task.value.dims[axis]) && kind_of(task.value, axis) == DimKind::sound;
  return axis > 0 && (is_open_sound || *longest >= surely) ? std::optional(axis) : std::nullopt;
}

/// Zeros of both signs, tiny numbers and, later, large ones, in a few places.
template <class T>
void vary(std::vector<T>& drawn, const Task& task) {
  const bool is_small_type = bits_of(task.value.dtype) < 32;
  const T tiny = static_cast<T>(is_small_type ? 0x1p-6 : 0x1p-20), large = static_cast<T>(is_small_type ? 8 : 32);
  Random random = task.random("#varied");
  for (std::size_t i = 0; i < drawn.size() && !is_stopped_at(i, task.stop); ++i) {
    T& number = drawn[i];
    switch (random.next() % 64) {
      case 0:
      case 1:
        number = T(0);
        break;
      case 2:
      case 3:
        number = -T(0);
        break;
      case 4:
        number *= tiny;
        break;
      case 5:
        if (task.index >= 2) number *= large;
        break;
      default:
        break;
    }
  }
}

template <class T>
Result<Tensor> as_type(const Task& task, const std::vector<T>& drawn) {
  if (is_stopped(task.stop)) return ended_early();  // before all of it is copied
  const Tensor made = Tensor::of<T>(task.shape, drawn);
  return task.value.dtype == dtype_of<T>() ? made : cast(made, task.value.dtype);
}

template <class T>
Result<Tensor> draw_floats(const Task& task) {
  Random random = task.random();
  std::vector<T> drawn(task.count);
  for (std::size_t i = 0; i < task.count && !is_stopped_at(i, task.stop); ++i)
    drawn[i] = static_cast<T>(task.plan.float_scale * random.normal());
  if (task.plan.is_varied && task.index > 0) vary(drawn, task);
  return as_type(task, drawn);
}

/// Pictures and sounds, where the shape is theirs. 8-bit pictures are 128 and 64 a deviation around it, 16-bit sound
/// is a quarter of full scale.
std::optional<Result<Tensor>> draw_signal(const Task& task) {
  Random random = task.random();
  const bool is_byte = task.value.dtype == DType::u8;
  const auto layout = picture_layout(task.shape);
  const auto axis = sound_axis(task);
  const bool is_pcm = task.value.dtype == DType::i16;
  if (!is_float(task.value.dtype) && !is_byte && !is_pcm) return std::nullopt;
  if (layout && !is_pcm && may_be_picture(task.value)) {
    std::vector<float> drawn = draw_pictures(*layout, random, task.stop);
    const auto scale = static_cast<float>(task.plan.float_scale);
    for (float& number : drawn) number = is_byte ? std::clamp(128 + 64 * number, 0.0F, 255.0F) : scale * number;
    return as_type(task, drawn);
  }
  if (!axis || is_byte) return std::nullopt;
  const std::int64_t length = task.shape[*axis];
  std::vector<float> drawn = draw_sounds(static_cast<std::int64_t>(task.count) / length, length, random, task.stop);
  const auto scale = static_cast<float>(is_pcm ? 8192 : task.plan.float_scale);
  for (float& number : drawn) number *= scale;
  return as_type(task, drawn);
}

Result<Tensor> draw_ruled(const Task& task, const Rule& rule) {
  Random random = task.random();
  const Drawing drawing{task.shape, task.plan.dims, task.seed, task.plan.is_varied ? task.index : 0,
                        task.stop,  task.index};
  const auto numbers = draw_by_rule(rule, is_float(task.value.dtype), drawing, random);
  if (is_stopped(task.stop)) return ended_early();
  return cast(Tensor::of<double>(task.shape, numbers), task.value.dtype);
}

Result<Task> task_for(const ValueInfo& value, const SynthesisPlan& plan) {
  const auto shape = shape_for(value, plan);
  if (!shape) return tl::unexpected(shape.error());
  const auto count = element_count(*shape);
  const bool is_text = value.dtype == DType::string;
  if (!count || (is_text ? bytes_while_drawn(value.dtype, *count) : bytes_for(value.dtype, *count)) > byte_limit) {
    return fail(ErrorKind::unsupported,
                "input '" + value.name + "' would have the shape " + to_string(*shape) + ", which is too large",
                names_of_sizes({value}).empty()
                    ? "the model itself fixes that shape, so it can be given with --input only"
                    : "give smaller sizes with --dim");
  }
  const bool is_known =
      is_integer(value.dtype) || is_float(value.dtype) || value.dtype == DType::string || value.dtype == DType::boolean;
  if (!is_known) {
    return fail(ErrorKind::unsupported, "input '" + value.text() + "' has a type that no random values can be made for",
                help_for(value));
  }
  return Task{value, plan, *shape, static_cast<std::size_t>(*count)};
}

/// The rest is zeros where it was stopped.
Result<Tensor> draw_any(const Task& task) {
  const ValueInfo& value = task.value;
  const auto rule = task.plan.rules.find(value.name);
  if (rule != task.plan.rules.end() && !task.plan.values.contains(value.name)) return draw_ruled(task, rule->second);
  if (value.dtype == DType::string) return draw_strings(task);
  if (value.dtype == DType::boolean) return draw_bools(task);
  if (auto signal = draw_signal(task)) return std::move(*signal);
  if (is_integer(value.dtype)) return draw_integers(task);
  return value.dtype == DType::f64 ? draw_floats<double>(task) : draw_floats<float>(task);
}

Result<Tensor> draw(const Task& task) {
  auto drawn = draw_any(task);
  if (is_stopped(task.stop)) return ended_early();
  return drawn;
}

bool has_way(const SynthesisPlan& plan, const std::string& input, Rule::Way way) {
  const auto rule = plan.rules.find(input);
  return rule != plan.rules.end() && rule->second.way == way;
}

/// Sequences, maps and optionals, whose tensors are drawn like others.
Result<void> add_structured(Sample& sample, const ValueInfo& value, const SynthesisPlan& plan, std::uint64_t seed,
                            std::int64_t index, const Stop& stop) {
  Random random(seed, value.name + "#" + std::to_string(index));
  const auto draw_one = [&](const ValueInfo& of, Random& from) -> Result<Tensor> {
    auto task = task_for(of, plan);
    if (!task) return tl::unexpected(task.error());
    task->seed = from.next();
    task->index = index;
    task->stop = stop;
    return draw(*task);
  };
  auto parts = draw_structured(value, plan, index, random, draw_one);
  if (!parts) return tl::unexpected(parts.error());
  std::ranges::move(*parts, std::back_inserter(sample.inputs));
  return {};
}

/// Indices are 0 where a mask of the same shape leaves them out, as tokenizers pad.
Result<void> pad(Sample& sample, const SynthesisPlan& plan) {
  for (NamedTensor& ids : sample.inputs) {
    const bool is_padded = is_integer(ids.value.dtype()) && has_way(plan, ids.name, Rule::Way::uniform) &&
                           plan.rules.at(ids.name).low <= 0 && plan.rules.at(ids.name).is_index;
    if (!is_padded) continue;
    for (const NamedTensor& mask : sample.inputs) {
      if (!has_way(plan, mask.name, Rule::Way::mask) || mask.value.shape() != ids.value.shape()) continue;
      std::vector<std::int64_t> padded(static_cast<std::size_t>(ids.value.count()));
      for (std::size_t i = 0; i < padded.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        padded[i] = mask.value.number(at) == 0 ? 0 : static_cast<std::int64_t>(ids.value.number(at));
      }
      auto made = cast(Tensor::of<std::int64_t>(ids.value.shape(), padded), ids.value.dtype());
      if (!made) return tl::unexpected(made.error());
      ids.value = std::move(*made);
      break;
    }
  }
  return {};
}

}  // namespace

bool is_open(const Dim& dim) { return !dim.value || *dim.value < 0; }

std::string dim_key(const ValueInfo& value, std::size_t axis) {
  const std::string& name = value.dims[axis].name;
  return name.empty() || name == "?" ? value.name + "." + std::to_string(axis) : name;
}

Result<Shape> shape_for(const ValueInfo& value, const SynthesisPlan& plan) {
  if (!value.has_shape) {
    return fail(ErrorKind::unsupported, "the rank of input '" + value.name + "' is not known", help_for(value));
  }
  Shape shape;
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    const auto given = plan.dims.find(dim_key(value, axis));
    const std::int64_t open_size = given != plan.dims.end() ? given->second : plan.unnamed_dim;
    shape.push_back(is_open(value.dims[axis]) ? open_size : *value.dims[axis].value);
  }
  return shape;
}

std::uint64_t bytes_while_drawn(DType dtype, std::int64_t count) {
  if (count > std::int64_t{1} << 50) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t each = dtype == DType::string ? sizeof(std::string)
                             : is_integer(dtype)    ? sizeof(std::int64_t)
                             : is_float(dtype)      ? sizeof(float)
                                                    : 1;
  return std::max(bytes_for(dtype, count), each * static_cast<std::uint64_t>(count));
}

Result<void> can_synthesize(const Interface& interface, const SynthesisPlan& plan) {
  for (const ValueInfo& value : interface.inputs) {
    if (value.kind != ValueInfo::Kind::tensor) {
      if (auto form = form_of(value); !form) return tl::unexpected(form.error());
    } else if (auto task = task_for(value, plan); !task) {
      return tl::unexpected(task.error());
    }
  }
  return {};
}

Result<Sample> synthesize(const Interface& interface, const SynthesisPlan& plan, std::uint64_t seed, std::int64_t index,
                          const Stop& stop) {
  Sample sample;
  sample.name = "seed " + std::to_string(seed) + " #" + std::to_string(index);
  for (const ValueInfo& value : interface.inputs) {
    if (value.kind != ValueInfo::Kind::tensor) {
      if (auto ok = add_structured(sample, value, plan, seed, index, stop); !ok) return tl::unexpected(ok.error());
      continue;
    }
    auto task = task_for(value, plan);
    if (!task) return tl::unexpected(task.error());
    task->seed = seed;
    task->index = index;
    task->stop = stop;
    auto tensor = draw(*task);
    if (!tensor) return tl::unexpected(tensor.error());
    sample.inputs.push_back({value.name, std::move(*tensor)});
  }
  if (auto ok = pad(sample, plan); !ok) return tl::unexpected(ok.error());
  return sample;
}

}  // namespace culprit
