#pragma once
// `culprit data show`: what is in a data set, how a model is fed with it, and what the model sees of the first samples.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/data_set.h"
#include "picture/picture.h"
#include "process/failure.h"

namespace culprit {

struct ShownSample {
  std::int64_t number = 0;
  std::string name;
  std::string bad;                  ///< why it is of no use; "" where it is good
  std::string truth;                ///< "label 3", "2 boxes"; "" where nothing is known
  std::vector<std::string> inputs;  ///< "data float32[1,3,224,224], -2.1 to 2.6, mean 0.1"
};

struct ShownData {
  std::vector<std::string> about;  ///< a line each
  std::int64_t samples = 0;
  std::vector<ShownSample> first;
  std::optional<Picture>
      sheet;  ///< the first pictures as the model sees them, with their boxes; nothing for other data
};

/// The first `count` samples, each read in a process of its own. Errors as of open_data_set, and interrupted.
Result<ShownData> show_data(const Model& model, const DataSetOptions& options, std::size_t count, const Limits& limits,
                            const Stop& stop);

}  // namespace culprit
