#include "hub/hub_query.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "base/text.h"
#include "hub/hf_name.h"

namespace culprit {
namespace {

constexpr std::string_view hub_start = "hub:";
constexpr const char* query_example =
    "such as hub:ResNet50, hub:ResNet50@12, hub:/srv/models#ResNet50, or 'hub:*&tag=vision' in a campaign";

tl::unexpected<Error> no_query(const std::string& word, const std::string& why) {
  return fail(ErrorKind::usage, "'" + printable(word, 200) + "': " + why, query_example);
}

std::optional<std::int64_t> opset_in(std::string_view text) {
  std::int64_t opset = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), opset);
  constexpr std::int64_t most = 1'000'000;
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || opset < 1 || opset > most) return std::nullopt;
  return opset;
}

/// Reads `part`, which stands behind an '&' of the word.
Result<void> read_condition(const std::string& word, const std::string& part, HubFilter& filter) {
  const std::size_t equals = part.find('=');
  const std::string key = part.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
  if (part == "newest") {
    filter.newest_only = true;
    return {};
  }
  if (!value.empty() && key == "tag") {
    filter.tags.push_back(value);
    return {};
  }
  if (!value.empty() && key == "opset") return read_opsets("opset", value, filter);
  if (!value.empty() && (key == "input" || key == "output")) {
    auto shape = shape_pattern_of(key, value);
    if (!shape) return tl::unexpected(shape.error());
    (key == "input" ? filter.inputs : filter.outputs).push_back(std::move(*shape));
    return {};
  }
  return no_query(word, "'" + printable(part, 80) +
                            "' is no condition; there are tag=T, opset=9-12, input=SHAPE, output=SHAPE and newest");
}

bool is_plain_name(const std::string& name) { return name.find_first_of("*?[\\") == std::string::npos; }

constexpr std::string_view signs_of_words = "%#&@*?[\\";

/// A name of a manifest, as the pattern of a word that means it alone: "a#b" -> "a%23b".
std::string name_in_word(std::string_view name) {
  std::string word;
  for (const char c : name)
    word += signs_of_words.find(c) == std::string_view::npos ? std::string(1, c) : fmt::format("%{:02X}", c);
  return word;
}

/// A name as it stands in a word, as a pattern of fnmatch: a sign that is written by its number stands for itself.
std::string pattern_of(std::string_view word) {
  std::string pattern;
  for (std::size_t i = 0; i < word.size(); ++i) {
    unsigned number = 0;
    const bool has_number =
        word[i] == '%' && i + 2 < word.size() &&
        std::from_chars(word.data() + i + 1, word.data() + i + 3, number, 16).ptr == word.data() + i + 3;
    const char sign = has_number ? static_cast<char>(number) : word[i];
    if (has_number && std::string_view("*?[\\").find(sign) != std::string_view::npos) pattern += '\\';
    pattern += sign;
    if (has_number) i += 2;
  }
  return pattern;
}

}  // namespace

bool is_hub_word(std::string_view word) { return word.starts_with(hub_start); }

bool names_hub(std::string_view word) { return is_hub_word(word) || is_hf_word(word); }

Result<HubQuery> hub_query_of(const std::string& word) {
  HubQuery query;
  std::string rest = is_hub_word(word) ? word.substr(hub_start.size()) : word;
  if (const std::size_t mark = rest.rfind('#'); mark != std::string::npos) {
    query.hub = rest.substr(0, mark);
    rest = rest.substr(mark + 1);
    if (query.hub.empty()) return no_query(word, "no hub stands before '#'");
  }
  const std::vector<std::string> parts = split(rest, '&');
  std::string name = parts.empty() ? "" : parts.front();
  if (const std::size_t at = name.rfind('@'); at != std::string::npos) {
    if (auto ok = read_opsets("opset", name.substr(at + 1), query.filter); !ok) return tl::unexpected(ok.error());
    name.resize(at);
  }
  if (name.empty()) return no_query(word, "no model is named");
  query.filter.name = pattern_of(name);
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (auto ok = read_condition(word, parts[i], query.filter); !ok) return tl::unexpected(ok.error());
  return query;
}

Result<void> read_opsets(const std::string& flag, const std::string& text, HubFilter& filter) {
  const std::size_t dash = text.find('-');
  const auto least = opset_in(std::string_view(text).substr(0, dash));
  const auto most = dash == std::string::npos ? least : opset_in(std::string_view(text).substr(dash + 1));
  if (!least || !most || *most < *least)
    return fail(ErrorKind::usage, flag + ": '" + printable(text, 60) + "' are no opsets", "such as 12, or 9-12");
  filter.least_opset = *least;
  filter.most_opset = *most;
  return {};
}

Result<std::vector<HubModel>> models_meant(const std::vector<HubModel>& models, const HubQuery& query) {
  HubFilter filter = query.filter;
  if (filter.least_opset == 0) filter.newest_only = true;
  std::vector<HubModel> meant = filtered(models, filter);
  if (!meant.empty()) return meant;
  if (is_plain_name(filter.name)) {
    const bool is_one = filter.least_opset == filter.most_opset;
    const auto named = hub_model_named(models, filter.name, is_one ? filter.least_opset : 0);
    if (!named) return tl::unexpected(named.error());
  }
  return fail(ErrorKind::not_found,
              fmt::format("none of the {} of the hub is '{}' and meets the other conditions",
                          counted(static_cast<std::int64_t>(models.size()), "model"), printable(filter.name, 100)),
              "`culprit hub list` shows all with their tags, opsets and shapes");
}

std::string word_of(const HubQuery& query, const HubModel& model) {
  std::string word(hub_start);
  if (!query.hub.empty()) word += query.hub + "#";
  word += name_in_word(model.name);
  if (model.opset > 0) word += "@" + std::to_string(model.opset);
  return word;
}

}  // namespace culprit
