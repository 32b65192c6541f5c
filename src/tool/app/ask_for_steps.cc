#include "app/ask_for_steps.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "app/loading_process.h"
#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* steps_file = "steps.json";
constexpr std::uint64_t largest_file = 1 << 20;

/// A word of ours, read back; throws where it is none.
template <class Word>
Word word_at(const Json& step, const char* key, std::optional<Word> (*named)(std::string_view)) {
  const auto word = named(step.at(key).get<std::string>());
  if (!word) throw std::runtime_error(std::string("its '") + key + "' is unknown");
  return *word;
}

HarvestedStep step_of(const Json& step) {
  return {printable(step.at("name").get<std::string>(), 200), word_at(step, "kind", &step_kind_named),
          word_at(step, "level", &level_named), word_at(step, "proof", &step_proof_named)};
}

}  // namespace

std::string to_json(const Harvest& harvest) {
  Json steps = Json::array();
  for (const HarvestedStep& step : harvest.steps) {
    steps.push_back({{"name", step.name},
                     {"kind", name_of(step.kind)},
                     {"level", name_of(step.level)},
                     {"proof", name_of(step.proof)}});
  }
  const Json root = {{"version", harvest.version}, {"steps", std::move(steps)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Harvest> harvest_from_json(const std::string& text) {
  try {
    const Json root = Json::parse(text);
    Harvest harvest{printable(root.at("version").get<std::string>(), 60), {}};
    for (const Json& step : root.at("steps")) harvest.steps.push_back(step_of(step));
    return harvest;
  } catch (const std::exception& exception) {
    return fail(ErrorKind::bad_input, std::string("the list of its steps makes no sense: ") + exception.what());
  }
}

Result<void> write_steps(const std::filesystem::path& library, const std::filesystem::path& folder) {
  const auto harvest = harvest_steps(library, folder);
  if (!harvest) return tl::unexpected(harvest.error());
  return write_file_atomic(folder / steps_file, to_json(*harvest));
}

Result<Harvest> ask_for_steps(const std::filesystem::path& program, const std::filesystem::path& library,
                              double seconds) {
  std::error_code error;
  const auto scratch = std::filesystem::temp_directory_path(error);
  const auto folder = TemporaryFolder::create(error ? "." : scratch, "culprit-steps-");
  if (!folder) return tl::unexpected(folder.error());
  const auto end =
      end_of_loading_process(program, {"--steps", library.string(), folder->path().string()}, folder->path(), seconds);
  if (!end) return tl::unexpected(end.error());
  const auto written = read_file(folder->path() / steps_file, largest_file);
  if (written) return harvest_from_json(*written);
  return tl::unexpected(no_answer(*end));
}

}  // namespace culprit
