// SQuAD 1.1 and 2.0: {"version": ..., "data": [{"paragraphs": [{"context": ..., "qas": [...]}]}]}
// (https://rajpurkar.github.io/SQuAD-explorer).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/utf8.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

using Squad = nlohmann::json;

class SquadReader {
 public:
  explicit SquadReader(std::string name) : name_(std::move(name)) {
    set_.kind = "SQuAD";
    set_.are_questions = true;
  }

  void read(const Squad& data) {
    for (const Squad& article : data) {
      for (const Squad& paragraph : list_in(article, "paragraphs")) {
        const std::string context = text_in(paragraph, "context");
        for (const Squad& question : list_in(paragraph, "qas")) take(question, context);
      }
    }
  }

  TextSet take_set() && {
    set_.kind = set_.may_have_no_answer ? "SQuAD 2.0" : "SQuAD 1.1";
    return std::move(set_);
  }

 private:
  void take(const Squad& question, const std::string& context) {
    ++questions_;
    TextItem item{text_in(question, "id"), text_in(question, "question"), context};
    if (item.name.empty()) item.name = fmt::format("{}: question {}", name_, questions_);
    const bool is_impossible = is_true_in(question, "is_impossible");
    set_.may_have_no_answer |= is_impossible;
    if (field_in(question, "answers").is_array()) {
      item.right.emplace();
      if (!is_impossible)
        for (const Squad& answer : list_in(question, "answers")) add_answer(*item.right, text_in(answer, "text"));
      if (!is_impossible && item.right->empty()) {
        set_.left_out.add(item.name, "it has no answer, and does not say that there is none (is_impossible)");
        return;
      }
    }
    take_text(set_, std::move(item));
  }

  static void add_answer(std::vector<std::string>& answers, std::string text) {
    if (!text.empty() && std::ranges::find(answers, text) == answers.end()) answers.push_back(std::move(text));
  }

  std::string name_;
  TextSet set_;
  std::int64_t questions_ = 0;
};

}  // namespace

Result<TextSet> read_squad(std::string_view bytes, const std::string& name) {
  if (!is_utf8(bytes)) return fail(ErrorKind::bad_input, printable(name) + ": it is no UTF-8");
  const Squad json = Squad::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return fail(ErrorKind::bad_input, printable(name) + ": it is no JSON, or is not whole");
  if (!field_in(json, "data").is_array())
    return fail(ErrorKind::bad_input, printable(name) + ": it is no SQuAD: it has no list `data`",
                "a JSON object in each line is read from a file that ends with .jsonl");
  SquadReader reader(name);
  reader.read(list_in(json, "data"));
  return std::move(reader).take_set();
}

}  // namespace culprit
