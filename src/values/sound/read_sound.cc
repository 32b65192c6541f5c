#include "sound/read_sound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "sound/sound_libraries.h"

namespace culprit {
namespace {

constexpr const char* sound_hint = "sounds can be WAV, FLAC or OGG files";
constexpr sf_count_t most_channels = 1024;  // as many as libsndfile knows
constexpr sf_count_t samples_of_block = 1 << 16;

/// libsndfile knows thirty other kinds of files, and its parsers of those are not for untrusted bytes.
bool begins_as_sound(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool is_riff = is_one_of(text.substr(0, 4), {"RIFF", "RIFX", "RF64"});
  if (is_riff) return text.size() >= 12 && text.substr(8, 4) == "WAVE";
  return is_one_of(text.substr(0, 4), {"fLaC", "OggS"});
}

/// A number of so many bytes, at most 8; 0 where the file has ended.
std::uint64_t wav_number_at(std::span<const std::byte> bytes, std::size_t place, std::size_t count) {
  if (place > bytes.size() || bytes.size() - place < count) return 0;
  const bool has_largest_first = std::to_integer<char>(bytes[3]) == 'X';  // RIFX
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i)
    number = number << 8U | std::to_integer<std::uint64_t>(bytes[place + (has_largest_first ? i : count - 1 - i)]);
  return number;
}

/// libsndfile takes a WAV file that was cut off for a shorter one. Who writes into a pipe cannot know the size, and
/// writes 0, or about the largest that there is: such a header promises nothing.
Result<void> expect_whole_wav(std::span<const std::byte> bytes) {
  constexpr std::size_t head = 12, chunk_head = 8;  // of the file, and of each chunk: its name and its size
  constexpr std::uint64_t no_size = 0x7FFFF000;     // sox writes this one; no sound that is read is so large
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with('R')) return {};
  std::uint64_t wide_size = 0;  // RF64 has it in a chunk of its own
  for (std::size_t at = head; bytes.size() > at && bytes.size() - at >= chunk_head;) {
    const std::size_t begin = at + chunk_head, there = bytes.size() - begin;
    const std::uint64_t size = wav_number_at(bytes, at + 4, 4);
    const std::string_view name = text.substr(at, 4);
    if (name == "data") {
      const std::uint64_t told = text.starts_with("RF64") && size > no_size ? wide_size : size;
      if (told <= there || told >= no_size) return {};
      return fail(ErrorKind::bad_input, fmt::format("it was cut off: of the {} bytes of samples that its header tells "
                                                    "of, {} are there",
                                                    told, there));
    }
    if (name == "ds64") wide_size = wav_number_at(bytes, begin + 8, 8);
    if (size > there) return {};
    at = begin + size + size % 2;
  }
  return {};
}

/// Bytes as libsndfile reads a file.
struct SoundBytes {
  std::span<const std::byte> bytes;
  sf_count_t place = 0;

  [[nodiscard]] sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }
};

sf_count_t size_of_bytes(void* user) { return static_cast<SoundBytes*>(user)->size(); }
sf_count_t place_in_bytes(void* user) { return static_cast<SoundBytes*>(user)->place; }

sf_count_t seek_in_bytes(sf_count_t offset, int whence, void* user) {
  auto& file = *static_cast<SoundBytes*>(user);
  const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.place : file.size();
  sf_count_t to = 0;
  if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > file.size()) return -1;
  return file.place = to;
}

sf_count_t read_bytes(void* to, sf_count_t count, void* user) {
  auto& file = *static_cast<SoundBytes*>(user);
  const sf_count_t given = std::clamp<sf_count_t>(count, 0, file.size() - file.place);
  if (given > 0) std::memcpy(to, file.bytes.data() + file.place, static_cast<std::size_t>(given));
  file.place += given;
  return given;
}

struct CloseSound {
  void operator()(SNDFILE* file) const { SNDFILE_FUNCTION(sf_close)(file); }
};
using SoundHandle = std::unique_ptr<SNDFILE, CloseSound>;

/// No size of a header is believed: memory grows with what is decoded.
Result<std::vector<float>> decoded_samples(SNDFILE* file, const SF_INFO& info, const SoundLimits& limits) {
  const sf_count_t frames_of_block = std::max<sf_count_t>(1, samples_of_block / info.channels);
  std::vector<float> block(static_cast<std::size_t>(frames_of_block * info.channels));
  std::vector<float> samples;
  sf_count_t frames = 0;
  while (true) {
    const sf_count_t got = SNDFILE_FUNCTION(sf_readf_float)(file, block.data(), frames_of_block);
    if (got <= 0) break;
    frames += got;
    samples.insert(samples.end(), block.begin(), block.begin() + got * info.channels);
    if (static_cast<std::int64_t>(samples.size()) > limits.most_samples)
      return fail(ErrorKind::bad_input, fmt::format("it has more than {} samples", limits.most_samples));
  }
  if (SNDFILE_FUNCTION(sf_error)(file) != SF_ERR_NO_ERROR)
    return fail(ErrorKind::bad_input, printable(SNDFILE_FUNCTION(sf_strerror)(file), 200));
  if (info.frames != SF_COUNT_MAX && frames < info.frames)
    return fail(ErrorKind::bad_input, fmt::format("it ends after {} of {} samples", frames, info.frames));
  return samples;
}

Result<void> check_sound_header(const SF_INFO& info, const SoundLimits& limits) {
  if (info.channels < 1 || info.channels > most_channels || info.samplerate < 1)
    return fail(ErrorKind::bad_input,
                fmt::format("it has {} channels with {} samples in a second", info.channels, info.samplerate));
  if (info.frames != SF_COUNT_MAX && info.frames > limits.most_samples / info.channels)
    return fail(ErrorKind::bad_input, fmt::format("it has {} samples in each of {} channels, more than {} in all",
                                                  info.frames, info.channels, limits.most_samples));
  return {};
}

Result<Sound> decode_known_sound(std::span<const std::byte> bytes, const SoundLimits& limits) {
  SoundBytes source{bytes};
  SF_VIRTUAL_IO calls{size_of_bytes, seek_in_bytes, read_bytes, nullptr, place_in_bytes};
  SF_INFO info{};
  const SoundHandle file(SNDFILE_FUNCTION(sf_open_virtual)(&calls, SFM_READ, &info, &source));
  if (!file) return fail(ErrorKind::bad_input, printable(SNDFILE_FUNCTION(sf_strerror)(nullptr), 200));
  if (const auto right = check_sound_header(info, limits); !right) return tl::unexpected(right.error());
  if (const auto whole = expect_whole_wav(bytes); !whole) return tl::unexpected(whole.error());
  auto samples = decoded_samples(file.get(), info, limits);
  if (!samples) return tl::unexpected(samples.error());
  if (samples->empty()) return fail(ErrorKind::bad_input, "it has no samples");
  const auto odd = std::ranges::find_if_not(*samples, [](float value) { return std::isfinite(value); });
  if (odd != samples->end())
    return fail(ErrorKind::bad_input,
                fmt::format("sample {} of channel {} is {}", (odd - samples->begin()) / info.channels,
                            (odd - samples->begin()) % info.channels, *odd));
  return Sound{info.samplerate, info.channels, std::move(*samples)};
}

}  // namespace

bool is_sound_file(const std::filesystem::path& path) {
  return is_one_of(lower_case(path.extension().string()), {".wav", ".flac", ".ogg"});
}

Result<Sound> decode_sound(std::span<const std::byte> bytes, std::string_view where, const SoundLimits& limits) {
  const std::string problem = "cannot read the sound " + printable(where);
  if (!begins_as_sound(bytes))
    return fail(ErrorKind::bad_input, problem + ": it does not begin as a sound file does", sound_hint);
  if (auto loaded = load_sound_library(sndfile_library(), problem, "libsndfile1"); !loaded)
    return tl::unexpected(loaded.error());
  auto sound = decode_known_sound(bytes, limits);
  if (!sound) return fail(sound.error().kind, problem + ": " + sound.error().message, sound_hint);
  return sound;
}

Result<Sound> read_sound(const std::filesystem::path& file, const SoundLimits& limits) {
  const auto mapped = MappedFile::open(file);
  if (!mapped) return tl::unexpected(mapped.error());
  return decode_sound(mapped->bytes(), file.native(), limits);
}

std::vector<float> mixed_down(const Sound& sound) {
  if (sound.channels <= 1) return sound.samples;
  const auto channels = static_cast<std::size_t>(sound.channels);
  std::vector<float> mixed(sound.samples.size() / channels);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(sound.samples[i * channels + c]);
    mixed[i] = static_cast<float>(sum / static_cast<double>(channels));
  }
  return mixed;
}

}  // namespace culprit
