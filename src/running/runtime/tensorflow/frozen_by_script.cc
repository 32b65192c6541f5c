#include "runtime/tensorflow/frozen_by_script.h"

#include <fmt/format.h>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "process/run_program.h"
#include "runtime/find_library.h"
#include "runtime/is_file.h"

namespace culprit::tf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_reason = 500;  // characters

/// "Error: ..." of several lines.
std::string last_line_of(const std::string& words) {
  const std::string_view said = trim(words);
  return printable(trim(said.substr(said.rfind('\n') + 1)), longest_reason);
}

fs::path list_beside(fs::path graph) { return graph.replace_extension(".json"); }

Result<void> run_script(const fs::path& python, const fs::path& model, const fs::path& to, const FreezeScript& script,
                        const FreezeOptions& options) {
  const fs::path file = to.parent_path() / script.name;
  if (auto ok = write_file_atomic(file, script.text); !ok) return ok;
  ProgramCall call;
  call.words = {python.string(), "-I", "-B", file.string(), fs::absolute(model).string(), to.string()};
  if (script.makes_list) call.words.push_back(list_beside(to).string());
  if (*script.last_word != '\0') call.words.emplace_back(script.last_word);
  call.folder = to.parent_path();
  call.output = to.parent_path() / "said.txt";
  const auto end = end_of_program(call, options.scratch, {options.cpu_seconds, options.memory_bytes}, options.stop);
  if (!end) return tl::unexpected(end.error());
  if (!end->failed()) return {};
  return fail(end->machine ? ErrorKind::io : ErrorKind::unsupported,
              fmt::format("{} cannot be made one graph: {}{}", printable(model.string()), end->message,
                          end->last_words.empty() ? "" : ": " + last_line_of(end->last_words)),
              script.way_out);
}

/// What scripts/setup wrote down of the packages; "" of another Python.
std::string versions_of(const fs::path& python) {
  return read_file(python.parent_path().parent_path() / "versions").value_or("");
}

Result<void> keep(const fs::path& made, const fs::path& kept) {
  std::error_code error;
  fs::rename(made, kept, error);
  if (error) return fail(ErrorKind::io, fmt::format("cannot keep {}: {}", printable(kept.string()), error.message()));
  return {};
}

}  // namespace

Result<fs::path> frozen_by_script(const fs::path& model, const std::string& sha256, const FreezeScript& script,
                                  const FreezeOptions& options) {
  const auto python = find_keras();
  if (!python)
    return fail(python.error().kind, fmt::format("{}: {}", printable(model.string()), python.error().message),
                python.error().hint);
  if (cache_folder().empty())
    return fail(ErrorKind::not_found, "the frozen graph is kept in the cache folder, and HOME is not set",
                "set HOME or CULPRIT_CACHE");
  const fs::path kept = cache_folder() / "frozen";
  const std::string identity = fmt::format("{}\n{}\n{}", sha256, script.text, versions_of(*python));
  const fs::path frozen = kept / (sha256_of(identity) + ".pb");
  if (is_file(frozen)) return frozen;
  if (auto ok = make_folder(kept); !ok) return tl::unexpected(ok.error());
  const auto work = TemporaryFolder::create(kept, ".new-");
  if (!work) return tl::unexpected(work.error());
  const fs::path made = work->path() / "frozen.pb";
  if (auto ok = run_script(*python, model, made, script, options); !ok) return tl::unexpected(ok.error());
  // The graph comes last: who finds it finds the list.
  if (script.makes_list)
    if (auto ok = keep(list_beside(made), list_beside(frozen)); !ok) return tl::unexpected(ok.error());
  if (auto ok = keep(made, frozen); !ok) return tl::unexpected(ok.error());
  return frozen;
}

}  // namespace culprit::tf
