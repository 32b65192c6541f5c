#include "sound/resample.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/text.h"
#include "sound/sound_libraries.h"

namespace culprit {
namespace {

constexpr std::int64_t most_resampled = std::int64_t{1} << 28;
constexpr std::size_t resampled_at_once = 1 << 16;

struct DeleteResampler {
  void operator()(soxr_t resampler) const { SOXR_FUNCTION(soxr_delete)(resampler); }
};
using Resampler = std::unique_ptr<std::remove_pointer_t<soxr_t>, DeleteResampler>;

tl::unexpected<Error> resampler_failed(const char* reason) {
  return fail(ErrorKind::internal, "libsoxr cannot resample: " + printable(reason, 200));
}

Result<void> check_rates(std::size_t count, std::int64_t from_rate, std::int64_t to_rate) {
  for (const std::int64_t rate : {from_rate, to_rate})
    if (rate < least_sound_rate || rate > most_sound_rate)
      return fail(ErrorKind::bad_input, fmt::format("a sound with {} samples in a second cannot be resampled", rate),
                  fmt::format("rates are from {} to {}", least_sound_rate, most_sound_rate));
  const double after = static_cast<double>(count) * static_cast<double>(to_rate) / static_cast<double>(from_rate);
  if (after > static_cast<double>(most_resampled))
    return fail(
        ErrorKind::bad_input,
        fmt::format("{} samples at {} Hz would be more than {} at {} Hz", count, from_rate, most_resampled, to_rate),
        "cut the sound into shorter ones");
  return {};
}

}  // namespace

Result<std::vector<float>> resampled(std::vector<float> samples, std::int64_t from_rate, std::int64_t to_rate) {
  if (from_rate == to_rate) return samples;
  if (auto right = check_rates(samples.size(), from_rate, to_rate); !right) return tl::unexpected(right.error());
  if (auto loaded = load_sound_library(soxr_library(), "cannot change the rate of a sound", "libsoxr0"); !loaded)
    return tl::unexpected(loaded.error());
  soxr_error_t error = nullptr;
  const soxr_quality_spec_t quality = SOXR_FUNCTION(soxr_quality_spec)(SOXR_HQ, 0);
  const Resampler resampler(SOXR_FUNCTION(soxr_create)(static_cast<double>(from_rate), static_cast<double>(to_rate), 1,
                                                       &error, nullptr, &quality, nullptr));
  if (error != nullptr || !resampler) return resampler_failed(error == nullptr ? "out of memory" : error);
  std::vector<float> block(resampled_at_once);
  std::vector<float> after;
  std::size_t place = 0;
  while (true) {
    const std::size_t left = samples.size() - place;
    std::size_t taken = 0;
    std::size_t given = 0;
    // Without input it gives what it still holds.
    error = SOXR_FUNCTION(soxr_process)(resampler.get(), left == 0 ? nullptr : samples.data() + place, left, &taken,
                                        block.data(), block.size(), &given);
    if (error != nullptr) return resampler_failed(error);
    place += taken;
    after.insert(after.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(given));
    if (given == 0 && left == 0) return after;
    if (given == 0 && taken == 0) return resampler_failed("it takes no more samples");
  }
}

}  // namespace culprit
