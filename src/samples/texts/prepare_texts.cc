#include "texts/prepare_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "base/utf8.h"
#include "labels/class_numbers.h"
#include "process/run_program.h"
#include "texts/beside_tokenizer.h"
#include "texts/load_dataset.h"
#include "texts/python_of_texts.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

Result<fs::path> tokenizer_file(const fs::path& given) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(given, ignored) ? given / "tokenizer.json" : given;
  if (fs::is_regular_file(file, ignored)) return file;
  return fail(ErrorKind::usage, "there is no tokenizer " + printable(file.string()),
              "a tokenizer is a file tokenizer.json, as the package tokenizers saves it, or a folder with one");
}

/// As the data number the classes, or as numbers that labels are, or in the order of their names.
Result<ClassNumbers> class_numbers_of(const TextSet& set) {
  std::vector<const TextItem*> labelled;
  for (const TextItem& item : set.items)
    if (!item.label.empty()) labelled.push_back(&item);
  if (set.labels_are_folders) {
    std::set<std::string> folders;
    for (const TextItem* item : labelled) folders.insert(item->label);
    return number_folders(folders, {});
  }
  SpelledLabels spelled;
  spelled.labels.reserve(labelled.size());
  for (const TextItem* item : labelled) spelled.labels.emplace_back(item->label);
  spelled.place_of = [&](std::size_t i) { return printable(labelled[i]->name, 200); };
  const auto is_class = [&](std::string_view name) { return std::ranges::count(set.classes, name) > 0; };
  // Labels may stand in another column than that of the classes.
  const bool are_known = std::ranges::all_of(spelled.labels, is_class);
  return number_labels(spelled, are_known ? NamedClasses{set.classes, "the data set"} : NamedClasses{});
}

/// Names that are just the numbers of the classes say nothing.
std::vector<std::string> telling_names(std::vector<std::string> names) {
  std::size_t number = 0;
  const bool are_numbers =
      std::ranges::all_of(names, [&](const std::string& name) { return name == std::to_string(number++); });
  if (are_numbers) names.clear();
  return names;
}

/// Where each character of a text begins, in bytes; and its end.
std::vector<std::int64_t> beginnings_of(std::string_view text) {
  std::vector<std::int64_t> begins;
  std::size_t at = 0;
  while (at < text.size()) {
    begins.push_back(static_cast<std::int64_t>(at));
    at += std::max<std::size_t>(1, first_code_point(text.substr(at)).length);
  }
  begins.push_back(static_cast<std::int64_t>(at));
  return begins;
}

class Preparing {
 public:
  Preparing(const TextPreparation& how, const PrepareTools& tools, TextSet set, ClassNumbers classes)
      : how_(how), tools_(tools), set_(std::move(set)), classes_(std::move(classes)) {}

  Result<PreparedFacts> write(const std::string& from, const std::string& key, const fs::path& to) {
    if (!tools_.encode) return write_plain(from, key, to);
    const auto work = TemporaryFolder::create(tools_.scratch, "plain-");
    if (!work) return tl::unexpected(work.error());
    const fs::path plain = work->path() / "plain.jsonl";
    return write_plain(from, key, plain).and_then([&](const PreparedFacts&) { return tools_.encode(plain, to); });
  }

 private:
  Result<PreparedFacts> write_plain(const std::string& from, const std::string& key, const fs::path& to) {
    auto work = TemporaryFolder::create(tools_.scratch, "texts-");
    if (!work) return tl::unexpected(work.error());
    folder_ = work->path();
    if (auto ok = ask(); !ok) return tl::unexpected(ok.error());
    auto told = read_file(folder_ / "tokens.jsonl");
    if (!told)
      return fail(ErrorKind::unsupported, printable(tools_.python, 200) + " made no tokens: is it Python?",
                  way_to_text_python);
    facts_.key = key;
    facts_.from = from;
    facts_.kind = set_.kind;
    facts_.max_length = how_.max_length;
    facts_.labels = telling_names(classes_.names);
    if (!facts_.labels.empty()) facts_.numbered = classes_.how;
    facts_.are_questions = set_.are_questions;
    facts_.may_have_no_answer = set_.may_have_no_answer;
    std::string lines;
    if (auto ok = take_all(*told, lines); !ok) return tl::unexpected(ok.error());
    facts_.left_out = set_.left_out.count();
    facts_.listed = set_.left_out.listed();
    const std::string head = line_of(facts_);
    const std::vector<std::string_view> pieces{head, lines};
    if (auto ok = write_pieces_atomic(to, pieces, Durability::flushed, tools_.stop); !ok)
      return tl::unexpected(ok.error());
    return facts_;
  }

  /// Has the host make tokens of all texts.
  Result<void> ask() {
    std::string texts;
    for (const TextItem& item : set_.items) {
      Json line{{"text", item.text}};
      if (set_.are_questions) line["context"] = item.context;
      if (!set_.are_questions && item.right && !item.right->empty()) line["target"] = item.right->front();
      texts += line.dump() + "\n";
    }
    const Json settings{{"tokenizer", fs::absolute(how_.tokenizer).string()},
                        {"max_length", how_.max_length},
                        {"stride", how_.stride},
                        {"side", name_of(cut_side_beside(how_.tokenizer))},
                        {"windows", set_.are_questions},
                        {"pairs", set_.are_questions}};
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"settings.json", settings.dump()},
                                     {"texts.jsonl", std::move(texts)},
                                     {"tokenize_texts.py", std::string(tokenize_host_script())}})
      if (auto ok = write_file_atomic(folder_ / name, text); !ok) return ok;
    if (!can_start(tools_.python)) return tl::unexpected(no_text_python(tools_.python));
    ProgramCall call;
    call.words = {tools_.python, "-I", "-B", "tokenize_texts.py", "settings.json", "texts.jsonl", "tokens.jsonl"};
    call.folder = folder_;
    call.output = folder_ / "said.txt";
    const auto end = end_of_program(call, tools_.scratch, {tools_.cpu_seconds, 0}, tools_.stop);
    if (!end) return tl::unexpected(end.error());
    if (!end->failed()) return {};
    return host_failed(*end);
  }

  [[nodiscard]] Result<void> host_failed(const Failure& end) const {
    const std::string told = read_file(folder_ / "tokens.jsonl").value_or("");
    const Json cannot = Json::parse(told, nullptr, /*allow_exceptions=*/false);
    if (const std::string package = text_in(cannot, "lacks"); !package.empty())
      return tl::unexpected(package_lacks(tools_.python, package));
    if (const std::string refused = text_in(cannot, "refused"); !refused.empty())
      return fail(ErrorKind::usage, printable(refused, 300), "a larger --max-length, or a smaller --stride");
    std::string words = text_in(cannot, "cannot");
    if (words.empty()) words = end.message + (end.last_words.empty() ? "" : ": " + end.last_words);
    return fail(end.machine ? ErrorKind::io : ErrorKind::bad_input,
                printable(how_.tokenizer.string()) + " cannot be used: " + printable(trim(words), 500));
  }

  Result<void> take_all(std::string_view told, std::string& lines) {
    std::size_t begin = 0;
    const auto next = [&] {
      const std::size_t end = std::min(told.find('\n', begin), told.size());
      const std::string_view line = told.substr(begin, end - begin);
      begin = std::min(end + 1, told.size());
      return Json::parse(line, nullptr, /*allow_exceptions=*/false);
    };
    const Json head = next();
    facts_.tokenizer = object_in(head, "tokenizer").dump();
    const Json &pad = field_in(head, "pad"), &end = field_in(head, "end");
    facts_.pad = pad.is_number_integer() ? pad.get<std::int64_t>() : 0;
    facts_.end = end.is_number_integer() ? end.get<std::int64_t>() : -1;
    const EdgeTokens edges = edge_tokens_beside(how_.tokenizer);
    if (edges.end >= 0) facts_.end = edges.end;
    facts_.first = edges.first;
    facts_.positions = positions_beside(how_.tokenizer).value_or(0);
    for (const TextItem& item : set_.items) {
      const Json line = next();
      if (!line.is_object())
        return fail(ErrorKind::internal, "the tokenizer's host gave no tokens for " + printable(item.name, 200));
      take(item, line, lines);
    }
    if (facts_.samples > 0) return {};
    const LeftOutText& first = set_.left_out.listed().front();
    return fail(ErrorKind::bad_input,
                "none of the texts is of use; " + printable(first.name, 200) + ": " + first.reason);
  }

  void take(const TextItem& item, const Json& line, std::string& lines) {
    if (const std::string why = text_in(line, "error"); !why.empty())
      return set_.left_out.add(item.name, "the tokenizer refuses it: " + printable(why, 300));
    PreparedSample sample;
    sample.name = printable(item.name, 200);
    sample.label = number_of(item.label);
    sample.right = item.right;
    try {
      line.at("ids").get_to(sample.ids);
      line.at("mask").get_to(sample.mask);
      line.at("types").get_to(sample.types);
      if (line.contains("target")) line.at("target").get_to(sample.target);
      if (set_.are_questions) sample.text = text_of(item, line.at("places"));
    } catch (const std::exception& error) {  // of the JSON library, or a place past the end
      return set_.left_out.add(item.name, std::string("what the tokenizer gave makes no sense: ") + error.what());
    }
    if (sample.ids.empty() || sample.ids.front().empty()) return set_.left_out.add(item.name, "it has no tokens");
    facts_.cut += is_true_in(line, "cut") ? 1 : 0;
    facts_.has_truth |= !sample.label.empty() || sample.right.has_value();
    facts_.have_targets |= !sample.target.empty();
    ++facts_.samples;
    lines += line_of(sample);
  }

  /// "" where nobody knows the class.
  [[nodiscard]] std::string number_of(const std::string& label) const {
    const auto found = classes_.of_label.find(label);
    return found == classes_.of_label.end() || found->second < 0 ? "" : std::to_string(found->second);
  }

  /// Places of tokens, from characters to bytes.
  [[nodiscard]] SampleText text_of(const TextItem& item, const Json& windows) const {
    const auto begins = beginnings_of(item.context);
    const auto byte = [&](const Json& character) { return begins.at(character.get<std::size_t>()); };
    SampleText text{item.context, {}, set_.may_have_no_answer};
    for (const Json& window : windows) {
      auto& places = text.windows.emplace_back();
      for (const Json& place : window)
        places.push_back(place.is_null() ? TokenPlace{} : TokenPlace{byte(place.at(0)), byte(place.at(1))});
    }
    return text;
  }

  const TextPreparation& how_;
  const PrepareTools& tools_;
  TextSet set_;
  ClassNumbers classes_;
  fs::path folder_;
  PreparedFacts facts_;
};

/// What a preparation hangs on, but for the texts. It begins with the number of how texts are read.
std::string identity_of(const TextPreparation& how, const fs::path& tokenizer) {
  const EdgeTokens edges = edge_tokens_beside(tokenizer);
  return fmt::format("2\n{}\n{}\n{}\n{}{} {} {} {}\n", how.max_length, how.stride, std::string(tokenize_host_script()),
                     how.encoder.empty() ? "" : how.encoder + "\n", edges.first, edges.end,
                     positions_beside(tokenizer).value_or(0), name_of(cut_side_beside(tokenizer)));
}

/// What a preparation of a data set hangs on, too.
std::string identity_of_loading(const TextPreparation& how) {
  return fmt::format("{}\n{}\n{}\n", how.split, how.config, std::string(load_host_script()));
}

Result<std::string> key_of_rows(const LoadedRows& rows, const TextPreparation& how, const fs::path& tokenizer) {
  auto hash = sha256_of_file(tokenizer);
  if (!hash) return hash;
  return sha256_of(identity_of(how, tokenizer) + identity_of_loading(how) + rows.name + "\n" + rows.split + "\n" +
                   join(rows.classes, "\n") + "\n" + sha256_of(rows.lines) + "\n" + *hash + "\n");
}

/// Flags that say nothing, or leave nothing.
Result<void> expect_fitting(const fs::path& texts, const TextPreparation& how) {
  if (how.max_length > 0 && how.stride >= how.max_length)
    return fail(ErrorKind::usage,
                fmt::format("a stride of {} leaves nothing of {} tokens", how.stride, how.max_length));
  if ((how.split.empty() && how.config.empty()) || is_hub_dataset(texts) || is_saved_dataset(texts)) return {};
  return fail(
      ErrorKind::usage,
      fmt::format("{}: {} says nothing here", printable(texts.string()), how.split.empty() ? "--config" : "--split"),
      "splits and configurations are those of data sets of Hugging Face");
}

std::string last_name(const fs::path& path) {
  return (path.filename().empty() ? path.parent_path() : path).filename().string();
}

}  // namespace

Result<std::string> key_of(const fs::path& texts, const TextPreparation& how) {
  const auto tokenizer = tokenizer_file(how.tokenizer);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  std::error_code ignored;
  std::vector<fs::path> files{texts};
  if (fs::is_directory(texts, ignored)) {
    auto below = files_below(texts);
    if (!below) return tl::unexpected(below.error());
    files = std::move(*below);
  }
  std::string identity = identity_of(how, *tokenizer);
  if (is_saved_dataset(texts)) identity += identity_of_loading(how);
  files.push_back(*tokenizer);
  for (const fs::path& file : files) {
    const auto hash = sha256_of_file(file);
    if (!hash) return tl::unexpected(hash.error());
    identity += file.lexically_relative(texts).string() + "\n" + *hash + "\n";
  }
  return sha256_of(identity);
}

Result<PreparedOnce> prepare_texts(const fs::path& texts, const TextPreparation& how, const fs::path& to,
                                   const PrepareTools& tools) {
  if (auto ok = expect_fitting(texts, how); !ok) return tl::unexpected(ok.error());
  TextPreparation found = how;
  const auto tokenizer = tokenizer_file(how.tokenizer);
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  found.tokenizer = *tokenizer;
  std::optional<LoadedRows> rows;
  const auto load = [&]() -> Result<void> {
    auto loaded = load_dataset(texts, how, tools);
    if (!loaded) return tl::unexpected(loaded.error());
    rows = std::move(*loaded);
    return {};
  };
  const bool is_hub = is_hub_dataset(texts);
  if (is_hub)
    if (auto ok = load(); !ok) return tl::unexpected(ok.error());
  const auto key = is_hub ? key_of_rows(*rows, how, *tokenizer) : key_of(texts, how);
  if (!key) return tl::unexpected(key.error());
  if (const auto before = PreparedTexts::open(to); before && before->facts().key == *key)
    return PreparedOnce{before->facts(), false};
  if (!is_hub && is_saved_dataset(texts))
    if (auto ok = load(); !ok) return tl::unexpected(ok.error());
  auto set = rows ? texts_of_rows(*rows) : read_texts(texts);
  if (!set) return tl::unexpected(set.error());
  auto classes = class_numbers_of(*set);
  if (!classes) return tl::unexpected(classes.error());
  Preparing preparing(found, tools, std::move(*set), std::move(*classes));
  const auto facts = preparing.write(rows ? rows->name : last_name(texts), *key, to);
  if (!facts) return tl::unexpected(facts.error());
  return PreparedOnce{*facts, true};
}

}  // namespace culprit
