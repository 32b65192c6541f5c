#pragma once
// Pictures with what models found on them, to be looked at: each model's boxes in a color of its own.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "data/sets/picture_source.h"
#include "executor/dispatcher.h"
#include "record/warning.h"
#include "stream/run_stream.h"
#include "task/task.h"

namespace culprit {

struct DrawnModel {
  StreamedModel model;
  const PictureSource* pictures = nullptr;  ///< how it is fed; outlives the drawing
};

struct DrawPlaces {
  std::filesystem::path work;  ///< for samples and outputs; exists
  std::filesystem::path out;   ///< <number>-<name>.png are written here; is made
};

/// At most twenty of these numbers: those on which models differ most, and then the first ones.
std::vector<std::int64_t> worth_drawing(const StreamReport& streamed, const std::vector<std::int64_t>& numbers);

/// Why pictures are missing: `not_drawn`.
Warning not_drawn(const Error& error);

/// Runs the models once more on these samples, and draws the boxes on the pictures as they lie on the disk. What cannot
/// be read, or fails, is left out. Returns how many pictures were written. Errors: interrupted, io.
Result<std::size_t> draw_decisions(Dispatcher& dispatcher, const SampleSource& source,
                                   const std::vector<DrawnModel>& models, const DecisionTask& task,
                                   std::vector<std::int64_t> numbers, const DrawPlaces& places);

}  // namespace culprit
