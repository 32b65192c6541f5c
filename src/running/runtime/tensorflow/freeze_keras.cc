#include "runtime/freeze_keras.h"

#include "keras/keras_model.h"
#include "runtime/tensorflow/freeze_script.h"
#include "runtime/tensorflow/frozen_by_script.h"

namespace culprit {

namespace fs = std::filesystem;

Result<fs::path> freeze_keras(const fs::path& model, const std::string& sha256, const FreezeOptions& options) {
  const auto read = read_keras_file(model, {.trust = options.trusted});
  if (!read) return tl::unexpected(read.error());
  return tf::frozen_by_script(model, sha256,
                              {.name = "freeze_keras.py",
                               .text = tf::freeze_keras_script(),
                               .makes_list = true,
                               .last_word = options.trusted ? "trusted" : "",
                               .way_out = "a SavedModel ('model.export') can be named in its place"},
                              options);
}

fs::path values_of_keras(fs::path frozen) { return frozen.replace_extension(".json"); }

}  // namespace culprit
