#include "app/prepare_encoded.h"

#include <string>
#include <utility>
#include <vector>

#include "app/machine_facts.h"
#include "app/weight_files.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "evaluate/encode_texts.h"
#include "executor/dispatcher.h"
#include "model/model.h"
#include "runtime/level.h"

namespace culprit {
namespace {

/// Of all files that the encoder is.
Result<std::string> identity_of_encoder(const fs::path& encoder) {
  std::vector<fs::path> files = weight_files_of(encoder);
  files.insert(files.begin(), encoder);
  std::string hashes;
  for (const fs::path& file : files) {
    auto hash = sha256_of_file(file);
    if (!hash) return hash;
    hashes += *hash + "\n";
  }
  return sha256_of(hashes);
}

/// The model as it is: what it gives does not hang on what the runtime would make of it.
RunJob encoding_job(const Model& encoder) {
  RunJob job;
  job.model = fs::absolute(encoder.path);
  job.session.level = Level::off;
  job.limits.memory_bytes = usable_memory();
  return job;
}

}  // namespace

Result<PreparedOnce> prepare_encoded(const PrepareRequest& request, PrepareTools tools, Workers& workers,
                                     const Progress& progress) {
  if (request.encoder.empty()) return prepare_texts(request.texts, request.how, request.to, tools);
  const auto encoder = load_model(request.encoder);
  if (!encoder) return tl::unexpected(encoder.error());
  auto identity = identity_of_encoder(request.encoder);
  if (!identity) return tl::unexpected(identity.error());
  TextPreparation how = request.how;
  how.encoder = std::move(*identity);
  tools.encode = [&](const fs::path& plain, const fs::path& to) -> Result<PreparedFacts> {
    const auto work = TemporaryFolder::create(tools.scratch, "encoder-");
    if (!work) return tl::unexpected(work.error());
    const auto library = workers.find_runtime("");
    if (!library) return tl::unexpected(library.error());
    const auto executor = workers.make_executor(*library, 0, work->path(), /*others=*/false);
    if (!executor) return tl::unexpected(executor.error());
    Dispatcher dispatcher(**executor);
    dispatcher.limit({}, tools.stop);
    return encode_texts(
        plain, *encoder, to,
        {dispatcher, work->path(), encoding_job(*encoder), jobs_at_once(0), [&](std::int64_t done, std::int64_t total) {
           progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total), "texts");
         }});
  };
  return prepare_texts(request.texts, how, request.to, tools);
}

}  // namespace culprit
