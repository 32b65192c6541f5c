#include "runtime/freeze_saved_model.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "network/tensorflow/tensorflow_model.h"
#include "runtime/tensorflow/freeze_script.h"
#include "runtime/tensorflow/frozen_by_script.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// Python runs its operators when it loads it.
Result<void> check_trust(const fs::path& folder) {
  const auto bytes = read_file(folder / "saved_model.pb");
  if (!bytes) return tl::unexpected(bytes.error());
  const auto model = TensorflowModel::of_saved_model(*bytes);
  if (!model) return tl::unexpected(model.error());
  const auto interface = model->interface();
  if (!interface) return tl::unexpected(interface.error());
  std::vector<std::string> fetched;
  for (const TensorflowValue& output : interface->outputs) fetched.push_back(output.tensor);
  const auto refused = model->refused_operators(fetched);
  if (refused.empty()) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("{} may run code, or touch files or the network, and is not trusted: {}",
                          printable(folder.string()), join(refused, ", ")),
              "if you know who made it, say --trust");
}

}  // namespace

Result<fs::path> freeze_saved_model(const fs::path& saved_model, const std::string& sha256,
                                    const FreezeOptions& options) {
  const fs::path folder = fs::is_directory(saved_model) ? saved_model : fs::absolute(saved_model).parent_path();
  if (!options.trusted)
    if (auto ok = check_trust(folder); !ok) return tl::unexpected(ok.error());
  return tf::frozen_by_script(folder, sha256,
                              {.name = "freeze_saved_model.py",
                               .text = tf::freeze_script(),
                               .way_out = "a frozen graph (.pb) can be named in its place"},
                              options);
}

}  // namespace culprit
