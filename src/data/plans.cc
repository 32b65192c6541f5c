// Guesses at what a model takes, from the names, types and places of its open dimensions and integer inputs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "data/synthesize.h"

namespace culprit {
namespace {

enum class Kind { batch, image, sound, length };

struct OpenDim {
  std::string key;
  Kind kind;
};

/// One guess at all sizes. `length` 0: distinct primes from `first_prime` on.
struct Sizes {
  std::int64_t batch, image, sound, length;
  std::size_t first_prime = 0;
};

constexpr std::array<std::int64_t, 12> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
constexpr std::array<Sizes, 7> guesses = {{
    {1, 224, 512, 0, 2},  // 5, 7, 11, ...: long enough for most kernels, and no two the same
    {1, 64, 16000, 16},   // what must agree agrees, and is divisible by 16
    {1, 256, 1024, 64},
    {1, 7, 256, 0, 0},  // 2, 3, 5, ...: small tables and few tokens
    {1, 32, 64, 1},
    {2, 224, 512, 16},  // a batch of one is refused now and then
    {1, 640, 4096, 512},
}};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* other) { return word == other; });
}

bool contains(const std::string& word, const char* part) { return word.find(part) != std::string::npos; }

/// A name that says nothing: exporters make them up.
bool is_anonymous(const std::string& name) {
  return name.empty() || name == "?" || name == "none" || name.starts_with("unk") || name.starts_with("dyn") ||
         contains(name, "dynamicdimension");
}

/// N is a batch where it comes first; in [B, N, 3] it counts points.
bool says_batch(const std::string& name, std::size_t axis) {
  return contains(name, "batch") || (axis == 0 && is_one_of(name, {"n", "b", "bs"}));
}
bool says_side(const std::string& name) {
  return is_one_of(name, {"h", "w"}) || contains(name, "height") || contains(name, "width");
}
bool says_sound(const std::string& name) {
  return contains(name, "sample") || contains(name, "audio") || contains(name, "wave") || contains(name, "signal");
}

bool is_channels(const Dim& dim) { return dim.value && (*dim.value == 1 || *dim.value == 3 || *dim.value == 4); }

/// NCHW or NHWC with both sides open.
bool is_side_by_place(const ValueInfo& value, std::size_t axis) {
  if (value.dims.size() != 4) return false;
  const auto sides_from = [&](std::size_t first) {
    return is_open(value.dims[first]) && is_open(value.dims[first + 1]) && (axis == first || axis == first + 1);
  };
  return (is_channels(value.dims[1]) && sides_from(2)) || (is_channels(value.dims[3]) && sides_from(1));
}

/// [batch, samples] or [batch, 1, samples] of floats.
bool is_sound_by_place(const ValueInfo& value, std::size_t axis) {
  if (!is_float(value.dtype)) return false;
  const std::size_t rank = value.dims.size();
  return (rank == 2 && axis == 1) || (rank == 3 && axis == 2 && value.dims[1].value == 1);
}

/// The first axis, or the second behind a fixed number of layers: [layers, batch, hidden].
bool is_batch_by_place(const ValueInfo& value, std::size_t axis) {
  const std::size_t rank = value.dims.size();
  if (axis == 0) return rank >= 2;
  return axis == 1 && rank == 3 && value.dims[0].value.value_or(1) > 1;
}

Kind kind_of(const ValueInfo& value, std::size_t axis) {
  const std::string name = lower(value.dims[axis].name);
  if (says_batch(name, axis)) return Kind::batch;
  if (says_side(name)) return Kind::image;
  if (says_sound(name)) return Kind::sound;
  if (is_side_by_place(value, axis)) return Kind::image;
  if (!is_anonymous(name)) return Kind::length;
  if (is_batch_by_place(value, axis)) return Kind::batch;
  if (is_sound_by_place(value, axis)) return Kind::sound;
  return name.starts_with("unk") ? Kind::batch : Kind::length;
}

/// Each open dimension once, in the order of the inputs, without those whose size is given.
std::vector<OpenDim> open_dims(const Interface& interface, const SynthesisPlan& given) {
  std::vector<OpenDim> dims;
  for (const ValueInfo& value : interface.inputs) {
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      const std::string key = dim_key(value, axis);
      if (!is_open(value.dims[axis]) || given.dims.contains(key)) continue;
      if (std::ranges::find(dims, key, &OpenDim::key) == dims.end()) dims.push_back({key, kind_of(value, axis)});
    }
  }
  return dims;
}

std::map<std::string, std::int64_t> sized(std::span<const OpenDim> dims, const Sizes& sizes) {
  std::map<std::string, std::int64_t> result;
  std::size_t prime = sizes.first_prime;
  for (const OpenDim& dim : dims) {
    switch (dim.kind) {
      case Kind::batch:
        result[dim.key] = sizes.batch;
        break;
      case Kind::image:
        result[dim.key] = sizes.image;
        break;
      case Kind::sound:
        result[dim.key] = sizes.sound;
        break;
      case Kind::length:
        result[dim.key] = sizes.length > 0 ? sizes.length : primes[prime++ % primes.size()];
        break;
    }
  }
  return result;
}

bool is_sampling_rate(const ValueInfo& value) {
  if (!is_integer(value.dtype) || value.dims.size() > 1) return false;
  return is_one_of(lower(value.name), {"sr", "rate", "sampling_rate", "sample_rate", "samplerate", "samplingrate"});
}

bool is_picture(const ValueInfo& value) {
  return value.dims.size() >= 3 && (value.dtype == DType::u8 || value.dtype == DType::i8);
}

bool has_drawn_integers(const Interface& interface, const SynthesisPlan& given) {
  return std::ranges::any_of(interface.inputs, [&](const ValueInfo& value) {
    return is_integer(value.dtype) && !is_picture(value) && !is_sampling_rate(value) &&
           !given.values.contains(value.name);
  });
}

/// Guesses at integers, with the sizes as given.
std::vector<SynthesisPlan> value_plans(const Interface& interface, const SynthesisPlan& given) {
  SynthesisPlan plan = given;
  std::vector<SynthesisPlan> plans;
  for (const std::int64_t rate : {16000, 8000}) {
    for (const ValueInfo& value : interface.inputs) {
      if (is_sampling_rate(value) && !given.values.contains(value.name)) plan.values[value.name] = rate;
    }
    plans.push_back(plan);
    if (plan.values == given.values) break;
  }
  if (!has_drawn_integers(interface, given)) return plans;
  for (const auto& [low, high] : {std::pair{0, 0}, {1, 2}}) {
    plan = plans.front();
    plan.integer_low = low;
    plan.integer_high = high;
    plans.push_back(plan);
  }
  return plans;
}

}  // namespace

std::vector<SynthesisPlan> likely_plans(const Interface& interface, const SynthesisPlan& given, std::size_t limit) {
  const auto dims = open_dims(interface, given);
  std::vector<std::map<std::string, std::int64_t>> sizes;
  for (const Sizes& guess : guesses) {
    auto candidate = sized(dims, guess);
    if (std::ranges::find(sizes, candidate) == sizes.end()) sizes.push_back(std::move(candidate));
  }
  const auto values = value_plans(interface, given);
  std::vector<SynthesisPlan> plans;
  for (std::size_t unlikely = 0; unlikely < sizes.size() + values.size() - 1; ++unlikely) {  // both guesses, diagonally
    for (std::size_t v = 0; v < values.size() && v <= unlikely; ++v) {
      if (unlikely - v >= sizes.size() || plans.size() == limit) continue;
      plans.push_back(values[v]);
      plans.back().dims.insert(sizes[unlikely - v].begin(), sizes[unlikely - v].end());
    }
  }
  return plans;
}

std::string describe(const SynthesisPlan& plan, const Interface& interface) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
  for (const auto& [key, size] : plan.dims) add(key + "=" + std::to_string(size));
  if (plan.float_scale != 1) add(fmt::format("floats x {}", plan.float_scale));
  if (has_drawn_integers(interface, plan)) {
    add("integers " + std::to_string(plan.integer_low) + ".." + std::to_string(plan.integer_high));
  }
  for (const auto& [input, value] : plan.values) add(input + "=" + std::to_string(value));
  if (plan.way > 0) add("nothing empty or absent" + std::string(plan.way > 1 ? ", other lengths" : ""));
  return text;
}

}  // namespace culprit
