#include "texts/cached_texts.h"

#include <fmt/format.h>

#include <string>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "process/interrupt.h"

namespace culprit {
namespace {

/// One file for texts at one place: what it holds is prepared anew where they change.
std::string file_for(const fs::path& texts, const TextPreparation& how) {
  std::error_code ignored;
  const auto place = [&](const fs::path& path) { return fs::weakly_canonical(path, ignored).string(); };
  return sha256_of(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", place(texts), place(how.tokenizer), how.max_length, how.stride,
                               how.split, how.config)) +
         ".jsonl";
}

}  // namespace

Result<fs::path> prepared_in_cache(const fs::path& texts, const TextPreparation& how, const fs::path& otherwise) {
  const fs::path cache = cache_folder(), folder = cache.empty() ? otherwise : cache / "texts";
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  const auto work = TemporaryFolder::create(fs::temp_directory_path(), "culprit-texts-");
  if (!work) return tl::unexpected(work.error());
  PrepareTools tools;
  tools.python = python_with_tokenizers();
  tools.scratch = work->path();
  tools.stop = interrupt_requested;
  fs::path file = folder / file_for(texts, how);
  const auto done = prepare_texts(texts, how, file, tools);
  if (!done) return tl::unexpected(done.error());
  return file;
}

}  // namespace culprit
