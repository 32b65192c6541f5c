#pragma once
// How a network takes a sound: the mean of the channels, at the rate it was trained with, normalized, whole or in
// windows.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sound/read_sound.h"
#include "tensor/tensor.h"

namespace culprit {

/// In the order of its fields: resampled, normalized, scaled, cut into windows.
struct SoundPreparation {
  std::int64_t rate = 0;    ///< samples in a second; 0: as the file
  bool normalize = false;   ///< (x - mean) / sqrt(variance + 1e-7), of the whole sound, as wav2vec2's feature extractor
  double scale = 1;         ///< each sample is multiplied by it
  std::int64_t window = 0;  ///< samples of one window; 0: the whole sound is one input
  std::int64_t hop = 0;     ///< from the start of a window to that of the next, at most a window; 0: a window
  std::int64_t context = 0;  ///< samples right before a window that stand in front of it; zeros before the sound

  bool operator==(const SoundPreparation&) const = default;
};

/// ErrorKind::usage where a number makes no sense, or `hop` or `context` stands without `window`.
Result<void> check_sound_preparation(const SoundPreparation& preparation);

/// f32 [samples] without a window, else f32 [windows, context + window]: as many windows as hold all samples, the last
/// one filled up with zeros. ErrorKind::bad_input where no sample is left at that rate, or where more than 2^28
/// elements would come; other errors as check_sound_preparation and resampled (sound/resample.h) have them.
Result<Tensor> prepare_sound(const Sound& sound, const SoundPreparation& preparation);

/// wav2vec: 16000 Hz, normalized, whole. silero: 16000 Hz, windows of 512 samples after 64 of context.
Result<SoundPreparation> sound_preparation_named(std::string_view name);

}  // namespace culprit
