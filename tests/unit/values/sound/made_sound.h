#pragma once
// Sounds that tests make: WAV files byte by byte, and samples that the golden script makes, too.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace culprit {

/// The `bytes` low bytes of a number, the lowest first.
inline std::string wav_number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

struct MadeWav {
  int format = 1;  ///< 1: whole numbers, 3: floats
  int bits = 16;
  int channels = 1;
  int rate = 16000;
  std::string data;

  [[nodiscard]] std::string bytes() const {
    const int frame = channels * bits / 8;
    const std::string header =
        "WAVEfmt " + wav_number(16, 4) + wav_number(static_cast<unsigned>(format), 2) +
        wav_number(static_cast<unsigned>(channels), 2) + wav_number(static_cast<unsigned>(rate), 4) +
        wav_number(static_cast<unsigned>(rate * frame), 4) + wav_number(static_cast<unsigned>(frame), 2) +
        wav_number(static_cast<unsigned>(bits), 2) + "data" + wav_number(data.size(), 4);
    return "RIFF" + wav_number(header.size() + data.size(), 4) + header + data;
  }
};

inline std::span<const std::byte> sound_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// As tests/golden/sounds/make.py makes it.
inline std::vector<float> made_noise(std::size_t count) {
  std::uint64_t state = 1;
  std::vector<float> samples(count);
  for (float& sample : samples) {
    state = (state * 1103515245U + 12345U) % (std::uint64_t{1} << 31U);
    sample = static_cast<float>(static_cast<int>(state >> 16U) - 16384) / 32768.0F;
  }
  return samples;
}

}  // namespace culprit
