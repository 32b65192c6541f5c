#include "runtime/freeze_saved_model.h"

#include <fmt/format.h>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "network/tensorflow/tensorflow_model.h"
#include "process/run_program.h"
#include "runtime/find_library.h"
#include "runtime/is_file.h"
#include "runtime/tensorflow/freeze_script.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_reason = 500;  // characters

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

/// "Error: ..." of several lines.
std::string last_line_of(const std::string& words) {
  const std::string_view said = trim(words);
  return printable(trim(said.substr(said.rfind('\n') + 1)), longest_reason);
}

Result<void> run_script(const fs::path& python, const fs::path& folder, const fs::path& to,
                        const FreezeOptions& options) {
  const fs::path script = to.parent_path() / "freeze_saved_model.py";
  if (auto ok = write_file_atomic(script, tf::freeze_script()); !ok) return ok;
  ProgramCall call;
  call.words = {python.string(), "-I", "-B", script.string(), fs::absolute(folder).string(), to.string()};
  call.folder = to.parent_path();
  call.output = to.parent_path() / "said.txt";
  const auto end = end_of_program(call, options.scratch, {options.cpu_seconds, 0}, options.stop);
  if (!end) return tl::unexpected(end.error());
  if (!end->failed()) return {};
  return fail(end->machine ? ErrorKind::io : ErrorKind::unsupported,
              fmt::format("{} cannot be made one graph: {}{}", printable(folder.string()), end->message,
                          end->last_words.empty() ? "" : ": " + last_line_of(end->last_words)),
              "a frozen graph (.pb) can be named in its place");
}

}  // namespace

Result<fs::path> freeze_saved_model(const fs::path& saved_model, const std::string& sha256,
                                    const FreezeOptions& options) {
  const fs::path folder = fs::is_directory(saved_model) ? saved_model : fs::absolute(saved_model).parent_path();
  if (!options.trusted)
    if (auto ok = check_trust(folder); !ok) return tl::unexpected(ok.error());
  const auto python = find_keras();
  if (!python)
    return fail(python.error().kind, fmt::format("{}: {}", printable(folder.string()), python.error().message),
                python.error().hint);
  if (cache_folder().empty())
    return fail(ErrorKind::not_found, "the frozen graph is kept in the cache folder, and HOME is not set",
                "set HOME or CULPRIT_CACHE");
  const fs::path kept = cache_folder() / "frozen";
  const fs::path frozen = kept / (sha256_of(sha256 + "\n" + std::string(tf::freeze_script())) + ".pb");
  if (is_file(frozen)) return frozen;
  if (auto ok = make_folder(kept); !ok) return tl::unexpected(ok.error());
  const auto work = TemporaryFolder::create(kept, ".new-");
  if (!work) return tl::unexpected(work.error());
  const fs::path made = work->path() / "frozen.pb";
  if (auto ok = run_script(*python, folder, made, options); !ok) return tl::unexpected(ok.error());
  std::error_code error;
  fs::rename(made, frozen, error);
  if (error) return fail(ErrorKind::io, fmt::format("cannot keep {}: {}", printable(frozen.string()), error.message()));
  return frozen;
}

}  // namespace culprit
