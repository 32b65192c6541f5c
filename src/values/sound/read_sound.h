#pragma once
// Sound files become samples: WAV (8, 16, 24 and 32 bits, float), FLAC and OGG, with the values that Python's
// soundfile.read(file, dtype="float32") gives. What kind of file it is, its first bytes tell, not its name. libsndfile
// reads them; it is loaded when the first sound is read.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace culprit {

struct Sound {
  std::int64_t rate = 0;  ///< samples of one channel in a second
  std::int64_t channels = 1;
  std::vector<float> samples;  ///< of all channels, interleaved; -1 to 1, but files of floats may go beyond
};

struct SoundLimits {
  std::int64_t most_samples = std::int64_t{1} << 28;  ///< of all channels together; a longer sound is an error
};

/// Has it the ending of a sound file (.wav, .flac, .ogg), in either case? The file is not looked at.
bool is_sound_file(const std::filesystem::path& path);

/// ErrorKind::bad_input for what is no sound file, ends before the samples that its header tells of, has no samples or
/// too many, or has one that is not finite. A WAV file whose writer could not know its size, for it wrote into a pipe,
/// gives the samples that are there. ErrorKind::unsupported where libsndfile is not installed; the hint names its
/// package.
Result<Sound> read_sound(const std::filesystem::path& file, const SoundLimits& limits = {});
/// `where` names the file in messages. Nothing in the bytes is believed.
Result<Sound> decode_sound(std::span<const std::byte> bytes, std::string_view where, const SoundLimits& limits = {});

/// One channel: the mean of all, taken in double and rounded once.
std::vector<float> mixed_down(const Sound& sound);

}  // namespace culprit
