#include "sound/sound_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/meant_word.h"
#include "base/text.h"
#include "sound/resample.h"

namespace culprit {
namespace {

constexpr std::int64_t most_prepared = std::int64_t{1} << 28;
constexpr std::int64_t longest_window = std::int64_t{1} << 24;
constexpr double least_variance = 1e-7;

constexpr std::array<std::pair<std::string_view, SoundPreparation>, 2> sound_presets{
    {{"wav2vec", {.rate = 16000, .normalize = true}}, {"silero", {.rate = 16000, .window = 512, .context = 64}}}};

void normalize_sound(std::vector<float>& samples) {
  const auto count = static_cast<double>(samples.size());
  double sum = 0;
  for (const float value : samples) sum += static_cast<double>(value);
  const double mean = sum / count;
  double squares = 0;
  for (const float value : samples)
    squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  const double deviation = std::sqrt(squares / count + least_variance);
  for (float& value : samples) value = static_cast<float>((static_cast<double>(value) - mean) / deviation);
}

Result<Tensor> in_windows(const std::vector<float>& samples, const SoundPreparation& preparation) {
  const auto count = static_cast<std::int64_t>(samples.size());
  const std::int64_t hop = preparation.hop == 0 ? preparation.window : preparation.hop;
  const std::int64_t after_first = std::max<std::int64_t>(0, count - preparation.window);
  const std::int64_t windows = 1 + (after_first + hop - 1) / hop;
  const std::int64_t length = preparation.context + preparation.window;
  if (windows > most_prepared / length)
    return fail(ErrorKind::bad_input, fmt::format("{} windows of {} samples are too many", windows, length),
                "cut the sound into shorter ones, or take a longer `hop`");
  std::vector<float> cut(static_cast<std::size_t>(windows * length));
  for (std::int64_t w = 0; w < windows; ++w) {
    const std::int64_t start = w * hop - preparation.context;
    const std::int64_t from = std::max<std::int64_t>(0, start);
    const std::int64_t to = std::min(count, start + length);
    if (from < to) std::copy(samples.begin() + from, samples.begin() + to, cut.begin() + w * length + (from - start));
  }
  return Tensor::of<float>({windows, length}, cut);
}

}  // namespace

Result<void> check_sound_preparation(const SoundPreparation& preparation) {
  const auto wrong = [](const std::string& what) { return fail(ErrorKind::usage, what); };
  if (preparation.rate != 0 && (preparation.rate < least_sound_rate || preparation.rate > most_sound_rate))
    return wrong(fmt::format("'resample' must be from {} to {}", least_sound_rate, most_sound_rate));
  for (const auto& [key, value] : {std::pair{"window", preparation.window}, std::pair{"hop", preparation.hop},
                                   std::pair{"context", preparation.context}})
    if (value < 0 || value > longest_window) return wrong(fmt::format("'{}' must be at most {}", key, longest_window));
  if (preparation.window == 0 && (preparation.hop != 0 || preparation.context != 0))
    return wrong("'hop' and 'context' go with 'window'");
  if (preparation.hop > preparation.window) return wrong("'hop' must not be more than 'window'");
  if (!std::isfinite(preparation.scale) || preparation.scale == 0)
    return wrong("'scale' must be a number that is not 0");
  return {};
}

Result<Tensor> prepare_sound(const Sound& sound, const SoundPreparation& preparation) {
  if (auto right = check_sound_preparation(preparation); !right) return tl::unexpected(right.error());
  auto samples = resampled(mixed_down(sound), sound.rate, preparation.rate == 0 ? sound.rate : preparation.rate);
  if (!samples) return tl::unexpected(samples.error());
  if (samples->empty())
    return fail(ErrorKind::bad_input, fmt::format("no sample of the sound is left at {} Hz", preparation.rate),
                "a sound must be longer");
  if (preparation.normalize) normalize_sound(*samples);
  if (preparation.scale != 1)
    for (float& value : *samples) value = static_cast<float>(static_cast<double>(value) * preparation.scale);
  if (preparation.window != 0) return in_windows(*samples, preparation);
  return Tensor::of<float>({static_cast<std::int64_t>(samples->size())}, *samples);
}

Result<SoundPreparation> sound_preparation_named(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [known, preparation] : sound_presets) {
    if (known == name) return preparation;
    names.emplace_back(known);
  }
  const std::string near = meant_word(name, names);
  return fail(ErrorKind::usage, "there is no preset '" + printable(name, 60) + "' for sounds",
              near.empty() ? "there are " + join(names, ", ") : "did you mean '" + near + "'?");
}

}  // namespace culprit
