#include "texts/cached_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/json_fields.h"
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

constexpr std::uint64_t largest_config = std::uint64_t{1} << 20;

/// The number in a file of JSON; `otherwise` where there is none that could be a length, or a larger one.
std::int64_t at_most(const fs::path& file, const char* key, std::int64_t otherwise) {
  const auto text = read_file(file, largest_config);
  if (!text) return otherwise;
  const auto json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  const auto& number = field_in(json, key);
  if (!number.is_number_integer() || number.get<std::int64_t>() < 2) return otherwise;
  return std::min(otherwise, number.get<std::int64_t>());
}

}  // namespace

std::int64_t most_tokens_beside(const fs::path& tokenizer, std::int64_t usual) {
  const fs::path folder = tokenizer.parent_path();
  std::int64_t most = at_most(folder / "tokenizer_config.json", "model_max_length", usual);
  for (const char* key : {"max_position_embeddings", "n_positions"}) most = at_most(folder / "config.json", key, most);
  return most;
}

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
