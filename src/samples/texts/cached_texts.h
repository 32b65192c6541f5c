#pragma once
// Texts that are prepared when they are asked for: once, into the cache folder.

#include <filesystem>

#include "base/error.h"
#include "texts/prepare_texts.h"

namespace culprit {

/// A prepared file of these texts (a file or a folder): the one in the cache folder if its texts, tokenizer and ways
/// are the same, else it is made anew. Without a cache folder it is made below `otherwise`, which must exist. Errors:
/// those of prepare_texts.
Result<std::filesystem::path> prepared_in_cache(const std::filesystem::path& texts, const TextPreparation& how,
                                                const std::filesystem::path& otherwise);

}  // namespace culprit
