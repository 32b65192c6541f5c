#include "texts/load_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/json_fields.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "hub/hf_name.h"
#include "process/run_program.h"
#include "texts/python_of_texts.h"
#include "texts/text_fields.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

using Told = nlohmann::json;

bool ends_as(const fs::path& path, std::string_view ending) { return lower_case(path.extension().string()) == ending; }

bool has_file(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::is_regular_file(folder / name, ignored);
}

bool was_saved(const fs::path& folder) {
  return has_file(folder, "dataset_dict.json") ||
         (has_file(folder, "state.json") && has_file(folder, "dataset_info.json"));
}

bool holds_parquet(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (ends_as(entry->path(), ".parquet")) return true;
  return false;
}

bool is_offline() {
  const char* offline = std::getenv("CULPRIT_OFFLINE");
  return offline != nullptr && *offline != '\0' && std::string_view(offline) != "0";
}

/// Names of configurations become names of folders.
bool is_configuration(const std::string& name) {
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) < 32 || contains("<>:\"/\\|?*", {&c, 1}); };
  return name != "." && name != ".." && std::ranges::none_of(name, is_bad);
}

/// What the host is told of a data set on the hub.
Result<void> ask_hub(const std::string& word, const TextPreparation& how, Told& settings, std::string& name) {
  constexpr const char* example = "such as hf:stanfordnlp/imdb, or hf:org/texts@v1.0 --config de --split test";
  const auto named = hf_name_of(word);
  if (!named) return fail(ErrorKind::usage, named.error().message, example);
  if (!named->file.empty())
    return fail(ErrorKind::usage, "'" + printable(word, 200) + "': a data set is named without a file", example);
  if (!is_configuration(how.config))
    return fail(ErrorKind::usage, "--config '" + printable(how.config, 100) + "' is no name of a configuration");
  name = named->repository;
  settings["kind"] = "hub";
  settings["name"] = named->repository;
  settings["revision"] = named->revision == "main" ? Told() : Told(named->revision);
  settings["config"] = how.config.empty() ? Told() : Told(how.config);
  settings["offline"] = is_offline();
  return {};
}

Result<void> ask_files(const fs::path& path, const TextPreparation& how, Told& settings, std::string& name) {
  if (!how.config.empty())
    return fail(ErrorKind::usage, "--config says nothing here: only data sets of the hub have configurations");
  const fs::path whole = fs::absolute(path).lexically_normal();
  name = (whole.filename().empty() ? whole.parent_path() : whole).filename().string();
  settings["kind"] = ends_as(path, ".arrow") ? "arrow" : was_saved(path) ? "saved" : "parquet";
  settings["path"] = whole.string();
  settings["offline"] = true;
  return {};
}

class Loading {
 public:
  Loading(const fs::path& texts, const TextPreparation& how, const PrepareTools& tools)
      : texts_(texts), how_(how), tools_(tools) {}

  Result<LoadedRows> load() {
    LoadedRows rows;
    const bool is_hub = is_hub_dataset(texts_);
    if (auto ok = is_hub ? ask_hub(texts_.string(), how_, settings_, rows.name)
                         : ask_files(texts_, how_, settings_, rows.name);
        !ok)
      return tl::unexpected(ok.error());
    auto work = TemporaryFolder::create(tools_.scratch, "rows-");
    if (!work) return tl::unexpected(work.error());
    folder_ = work->path();
    if (auto ok = ask(); !ok) return tl::unexpected(ok.error());
    auto lines = read_file(folder_ / "lines.jsonl", largest_text_file);
    const Told told = this->told();
    if (!lines || !told.is_object())
      return fail(ErrorKind::unsupported, printable(tools_.python, 200) + " loaded nothing: is it Python?",
                  way_to_text_python);
    rows.lines = std::move(*lines);
    rows.split = text_in(told, "split");
    rows.columns = words_in(told, "columns");
    rows.classes = words_in(told, "classes");
    return rows;
  }

 private:
  static std::vector<std::string> words_in(const Told& told, const char* key) {
    std::vector<std::string> words;
    for (const Told& word : list_in(told, key))
      if (word.is_string()) words.push_back(word.get<std::string>());
    return words;
  }

  [[nodiscard]] Told told() const {
    return Told::parse(read_file(folder_ / "told.json").value_or(""), nullptr, /*allow_exceptions=*/false);
  }

  Result<void> ask() {
    Told columns = Told::array();
    for (const std::span<const std::string_view> words :
         {std::span<const std::string_view>(text_words), std::span<const std::string_view>(class_words),
          std::span<const std::string_view>(right_words), std::span<const std::string_view>(context_words),
          std::span<const std::string_view>(name_words)})
      for (const std::string_view word : words) columns.push_back(word);
    settings_["columns"] = std::move(columns);
    settings_["classes"] = class_words;
    settings_["split"] = how_.split;
    settings_["most_bytes"] = largest_text_file;
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"settings.json", settings_.dump()},
                                     {"load_texts.py", std::string(load_host_script())}})
      if (auto ok = write_file_atomic(folder_ / name, text); !ok) return ok;
    if (!can_start(tools_.python)) return tl::unexpected(no_text_python(tools_.python));
    ProgramCall call;
    call.words = {tools_.python, "-I", "-B", "load_texts.py", "settings.json", "lines.jsonl", "told.json"};
    call.folder = folder_;
    call.output = folder_ / "said.txt";
    call.may_use_network = !is_true_in(settings_, "offline");
    const auto end = end_of_program(call, tools_.scratch, {tools_.cpu_seconds, 0}, tools_.stop);
    if (!end) return tl::unexpected(end.error());
    if (!end->failed()) return {};
    return host_gave_up(*end);
  }

  [[nodiscard]] Result<void> host_gave_up(const Failure& end) const {
    const Told told = this->told();
    if (const std::string package = text_in(told, "lacks"); !package.empty())
      return tl::unexpected(package_lacks(tools_.python, package));
    const std::string asked = printable(texts_.string());
    if (const std::string why = text_in(told, "refused"); !why.empty())
      return fail(ErrorKind::usage, asked + ": " + printable(why, 1000),
                  text_in(told, "flag") == "config" ? "--config NAME takes one" : "--split NAME takes one");
    std::string words = text_in(told, "cannot");
    if (words.empty()) words = end.message + (end.last_words.empty() ? "" : ": " + end.last_words);
    const auto flag = [](const char* name, const std::string& value) {
      return value.empty() ? "" : fmt::format(", {} {}", name, printable(value, 100));
    };
    const bool asks_hub = is_hub_dataset(texts_);
    return fail(end.machine ? ErrorKind::io : ErrorKind::bad_input,
                fmt::format("{}{}{} cannot be loaded: {}", asked, flag("configuration", how_.config),
                            flag("split", how_.split), printable(trim(words), 1000)),
                asks_hub && is_offline() ? "CULPRIT_OFFLINE is set: only what HF_HOME has can be loaded"
                : asks_hub               ? "HF_ENDPOINT names another hub; HF_HOME has what was loaded before"
                                         : "");
  }

  const fs::path& texts_;
  const TextPreparation& how_;
  const PrepareTools& tools_;
  Told settings_;
  fs::path folder_;
};

}  // namespace

bool is_hub_dataset(const fs::path& texts) {
  std::error_code ignored;
  return is_hf_word(texts.string()) && !fs::exists(texts, ignored);
}

bool is_saved_dataset(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return ends_as(path, ".parquet") || ends_as(path, ".arrow");
  return was_saved(path) || holds_parquet(path);
}

Result<LoadedRows> load_dataset(const fs::path& texts, const TextPreparation& how, const PrepareTools& tools) {
  return Loading(texts, how, tools).load();
}

Result<TextSet> texts_of_rows(const LoadedRows& rows) {
  auto set = read_json_lines(rows.lines, rows.name);
  if (!set) return set;
  set->kind = "Hugging Face dataset" + (rows.split.empty() ? "" : ", split " + printable(rows.split, 100));
  set->classes = rows.classes;
  set = of_use(std::move(*set), rows.name);
  if (!set && !rows.columns.empty()) set.error().hint = "its columns: " + printable(join(rows.columns, ", "), 1000);
  return set;
}

}  // namespace culprit
