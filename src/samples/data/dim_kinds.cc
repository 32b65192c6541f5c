// What an open dimension counts, by its name and its place.

#include <algorithm>

#include "base/lower_case.h"
#include "base/text.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"

namespace culprit {
namespace {

/// A name that says nothing: exporters make them up.
bool is_anonymous(const std::string& name) {
  return name.empty() || name == "?" || name == "none" || name.starts_with("unk") || name.starts_with("dyn") ||
         contains(name, "dynamicdimension") || contains(name, "dynamic_axes");
}

/// N is a batch where it comes first; in [B, N, 3] it counts points.
bool says_batch(const std::string& name, std::size_t axis) {
  return contains(name, "batch") || (axis == 0 && is_one_of(name, {"n", "b", "bs"}));
}
bool says_height(const std::string& name) { return name == "h" || contains(name, "height"); }
bool says_width(const std::string& name) { return name == "w" || contains(name, "width"); }
bool says_sound(const std::string& name) {
  return contains(name, "sample") || contains(name, "audio") || contains(name, "wave") || contains(name, "signal");
}

/// Sound comes in floats, or in whole numbers of 16 bits.
bool may_be_sound(DType type) { return is_float(type) || type == DType::i16; }

/// As the models of speech on model hubs call their sound: wav2vec2, hubert.
bool is_sound_by_name(const ValueInfo& value, std::size_t axis) {
  const std::string name = lower_case(value.name);
  const bool says = name == "input_values" || contains(name, "waveform") || contains(name, "audio_signal") ||
                    contains(name, "speech") || name == "audio" || name == "wav" || name == "pcm";
  return says && may_be_sound(value.dtype) && value.dims.size() <= 3 && axis + 1 == value.dims.size() && axis > 0;
}

bool is_channels(const Dim& dim) { return dim.value && (*dim.value == 1 || *dim.value == 3 || *dim.value == 4); }

/// NCHW or NHWC with both sides open: 0 where this axis is the height, 1 the width, -1 neither.
int side_by_place(const ValueInfo& value, std::size_t axis) {
  if (value.dims.size() != 4) return -1;
  const auto side_from = [&](std::size_t first) {
    if (!is_open(value.dims[first]) || !is_open(value.dims[first + 1])) return -1;
    return axis == first ? 0 : axis == first + 1 ? 1 : -1;
  };
  const int of_nchw = is_channels(value.dims[1]) ? side_from(2) : -1;
  return of_nchw < 0 && is_channels(value.dims[3]) ? side_from(1) : of_nchw;
}

/// [batch, samples] or [batch, 1, samples].
bool is_sound_by_place(const ValueInfo& value, std::size_t axis) {
  if (!may_be_sound(value.dtype)) return false;
  const std::size_t rank = value.dims.size();
  return (rank == 2 && axis == 1) || (rank == 3 && axis == 2 && value.dims[1].value == 1);
}

/// The first axis, or the second behind a fixed number of layers: [layers, batch, hidden].
bool is_batch_by_place(const ValueInfo& value, std::size_t axis) {
  const std::size_t rank = value.dims.size();
  if (axis == 0) return rank >= 2;
  return axis == 1 && rank == 3 && value.dims[0].value.value_or(1) > 1;
}

}  // namespace

bool counts_cache(const std::string& name) {
  const std::string word = lower_case(name);
  return contains(word, "past") || is_one_of(word, {"cache_length", "cache_len", "kv_length", "kv_len", "kv_seq_len"});
}

DimKind kind_of(const ValueInfo& value, std::size_t axis) {
  const std::string name = lower_case(value.dims[axis].name);
  if (says_batch(name, axis)) return DimKind::batch;
  if (says_height(name)) return DimKind::height;
  if (says_width(name)) return DimKind::width;
  if (counts_cache(name)) return DimKind::past;
  if (says_sound(name) || is_sound_by_name(value, axis)) return DimKind::sound;
  if (const int side = side_by_place(value, axis); side >= 0) return side == 0 ? DimKind::height : DimKind::width;
  if (!is_anonymous(name)) return DimKind::length;
  if (is_batch_by_place(value, axis)) return DimKind::batch;
  if (is_sound_by_place(value, axis)) return DimKind::sound;
  return name.starts_with("unk") && !is_integer(value.dtype) ? DimKind::batch : DimKind::length;
}

}  // namespace culprit
