#pragma once
// Has an encoder read prepared texts, once, and keeps what it gave with them: so that a decoder that is a file of its
// own can be fed.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "executor/dispatcher.h"
#include "model/model.h"
#include "texts/prepared_texts.h"

namespace culprit {

struct EncodeTools {
  Dispatcher& dispatcher;
  std::filesystem::path folder;  ///< exists; holds the samples of one chunk
  RunJob job;                    ///< how the encoder runs: samples and folder are filled in
  std::size_t places = 2;        ///< runs at once
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Reads `plain`, and writes `to` with what the encoder gave for each text: its first output of floats [N,L,D]. A text
/// on which it fails is left out, counted and listed. Errors: those of open_encoder_tokens; usage (no such output),
/// bad_input (it cannot be loaded; it fails on all texts; the first reason), io, interrupted.
Result<PreparedFacts> encode_texts(const std::filesystem::path& plain, const Model& encoder,
                                   const std::filesystem::path& to, const EncodeTools& tools);

}  // namespace culprit
