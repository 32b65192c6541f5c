#include "data/sets/token_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/lower_case.h"
#include "base/text.h"
#include "data/fits_declaration.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "texts/prepared_texts.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

struct NamedUse {
  std::string_view name;
  TokenInput use;
};

constexpr std::array names_of_uses{NamedUse{"decoder_input_ids", TokenInput::right_ids},
                                   NamedUse{"decoder_attention_mask", TokenInput::right_mask},
                                   NamedUse{"input_ids", TokenInput::ids},
                                   NamedUse{"input_word_ids", TokenInput::ids},
                                   NamedUse{"token_ids", TokenInput::ids},
                                   NamedUse{"tokens", TokenInput::ids},
                                   NamedUse{"attention_mask", TokenInput::mask},
                                   NamedUse{"input_mask", TokenInput::mask},
                                   NamedUse{"token_type_ids", TokenInput::types},
                                   NamedUse{"input_type_ids", TokenInput::types},
                                   NamedUse{"segment_ids", TokenInput::types},
                                   NamedUse{"position_ids", TokenInput::positions}};

struct FedInput {
  ValueInfo declared;
  TokenInput use = TokenInput::none;
};

bool is_token_type(DType type) {
  return type == DType::i64 || type == DType::i32 || type == DType::f32 || type == DType::boolean;
}

/// The numbers of all rows, each as long as `length`, in the type of the input.
Result<Tensor> rows_tensor(const TokenRows& rows, std::int64_t length, std::int64_t fill, DType type) {
  std::vector<std::int64_t> all;
  for (const auto& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
    all.resize(all.size() + static_cast<std::size_t>(length) - row.size(), fill);
  }
  return cast(Tensor::of<std::int64_t>({std::ssize(rows), length}, all), type);
}

std::int64_t longest_of(const TokenRows& rows) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  return static_cast<std::int64_t>(longest);
}

TokenRows filled_like(const TokenRows& rows, std::int64_t first, std::int64_t step) {
  TokenRows made = rows;
  for (auto& row : made)
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = first + step * static_cast<std::int64_t>(i);
  return made;
}

class Tokens final : public SampleSource {
 public:
  Tokens(PreparedTexts texts, std::vector<FedInput> inputs, std::vector<NamedTensor> given)
      : texts_(std::move(texts)), inputs_(std::move(inputs)), given_(std::move(given)) {}

  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = DataSource::file;
    facts.samples = size();
    facts.choices = description();
    return facts;
  }
  [[nodiscard]] std::int64_t size() const override { return texts_.facts().samples; }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    const auto sample = texts_.at(number);
    return sample && !sample->name.empty() ? sample->name : fmt::format("{} #{}", texts_.facts().from, number);
  }

  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    const auto prepared = texts_.at(number);
    if (!prepared) return tl::unexpected(prepared.error());
    Sample sample{prepared->name, {}};
    for (const FedInput& input : inputs_) {
      auto value = value_of(input, *prepared);
      if (!value) return tl::unexpected(value.error());
      sample.inputs.push_back({input.declared.name, std::move(*value)});
    }
    put_given(sample, given_);
    return sample;
  }

  [[nodiscard]] bool gives_the_same_as(const SampleSource& other) const override {
    const auto* tokens = dynamic_cast<const Tokens*>(&other);
    return tokens != nullptr && texts_.facts().key == tokens->texts_.facts().key && !texts_.facts().key.empty() &&
           std::ranges::equal(inputs_, tokens->inputs_, are_fed_alike) && are_identical(given_, tokens->given_);
  }

  [[nodiscard]] bool has_truth() const override { return texts_.facts().has_truth; }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    auto sample = texts_.at(number);
    Truth truth;
    if (!sample) return truth;
    truth.label = sample->label;
    if (const auto named = class_name(sample->label)) truth.name = *named;
    truth.texts = std::move(sample->right);
    return truth;
  }

  /// Rows that are filled up have places for what fills them, too.
  [[nodiscard]] std::optional<SampleText> text(std::int64_t number) const override {
    auto sample = texts_.at(number);
    if (!sample || !sample->text) return std::nullopt;
    const std::int64_t length = length_of(sample->ids, input_of(TokenInput::ids)).value_or(0);
    for (auto& window : sample->text->windows) window.resize(std::max(window.size(), static_cast<std::size_t>(length)));
    return std::move(sample->text);
  }

  [[nodiscard]] std::vector<std::string> description() const override {
    const PreparedFacts& facts = texts_.facts();
    std::vector<std::string> lines{fmt::format("{} texts of {} ({}), prepared", facts.samples,
                                               printable(facts.from, 100), printable(facts.kind, 40))};
    if (!facts.labels.empty())
      lines.push_back(fmt::format("classes in the order of their names: {}", printable(join(facts.labels, ", "), 300)));
    if (facts.cut > 0)
      lines.push_back(fmt::format("{} texts are cut off after {} tokens", facts.cut, facts.max_length));
    if (facts.left_out > 0)
      lines.push_back(fmt::format("{} texts were left out; the first: {}: {}", facts.left_out,
                                  facts.listed.empty() ? "?" : printable(facts.listed.front().name, 100),
                                  facts.listed.empty() ? "?" : printable(facts.listed.front().reason, 200)));
    return lines;
  }

 private:
  static bool are_fed_alike(const FedInput& a, const FedInput& b) {
    return a.declared.name == b.declared.name && a.declared.dtype == b.declared.dtype &&
           std::ranges::equal(a.declared.dims, b.declared.dims, {}, &Dim::value, &Dim::value);
  }

  [[nodiscard]] const FedInput* input_of(TokenInput use) const {
    const auto found = std::ranges::find(inputs_, use, &FedInput::use);
    return found == inputs_.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::optional<std::string> class_name(const std::string& label) const {
    const auto& names = texts_.facts().labels;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::to_string(i) == label) return names[i];
    return std::nullopt;
  }

  /// How long a row of this input is: as the model's own size says, else as the longest row of the sample.
  static Result<std::int64_t> length_of(const TokenRows& rows, const FedInput* input) {
    const std::int64_t longest = longest_of(rows);
    const bool is_told = input != nullptr && input->declared.dims.size() == 2 && input->declared.dims[1].value;
    const std::int64_t length = is_told ? *input->declared.dims[1].value : longest;
    if (longest <= length) return length;
    return fail(ErrorKind::bad_input,
                fmt::format("it has {} tokens, and input '{}' takes {}", longest, input->declared.name, length),
                fmt::format("culprit data prepare --max-length {}", length));
  }

  static Result<void> expect_rows(const TokenRows& rows, const FedInput& input) {
    const auto& dims = input.declared.dims;
    if (dims.size() != 2 || !dims[0].value || *dims[0].value == std::ssize(rows)) return {};
    return fail(ErrorKind::bad_input, fmt::format("it has {} rows of tokens, and input '{}' takes {}", rows.size(),
                                                  input.declared.name, *dims[0].value));
  }

  /// What a decoder is fed so that it says what is right: that, moved on by one.
  [[nodiscard]] Result<TokenRows> moved_target(const PreparedSample& sample) const {
    if (sample.target.empty()) return fail(ErrorKind::bad_input, "nobody knows what is right to follow");
    std::vector<std::int64_t> row{texts_.facts().pad};
    row.insert(row.end(), sample.target.begin(), sample.target.end() - 1);
    return TokenRows{std::move(row)};
  }

  [[nodiscard]] Result<TokenRows> rows_for(TokenInput use, const PreparedSample& sample) const {
    switch (use) {
      case TokenInput::mask:
        return sample.mask;
      case TokenInput::types:
        return sample.types;
      case TokenInput::positions:
        return filled_like(sample.ids, 0, 1);
      case TokenInput::right_ids:
        return moved_target(sample);
      case TokenInput::right_mask:
        return moved_target(sample).map([](const TokenRows& rows) { return filled_like(rows, 1, 0); });
      case TokenInput::ids:
      case TokenInput::none:
        break;
    }
    return sample.ids;
  }

  [[nodiscard]] Result<Tensor> value_of(const FedInput& input, const PreparedSample& sample) const {
    const auto rows = rows_for(input.use, sample);
    if (!rows) return tl::unexpected(rows.error());
    if (auto ok = expect_rows(*rows, input); !ok) return tl::unexpected(ok.error());
    const auto length = length_of(*rows, &input);
    if (!length) return tl::unexpected(length.error());
    const bool is_of_tokens = input.use == TokenInput::ids || input.use == TokenInput::right_ids;
    return rows_tensor(*rows, *length, is_of_tokens ? texts_.facts().pad : 0, input.declared.dtype);
  }

  PreparedTexts texts_;
  std::vector<FedInput> inputs_;
  std::vector<NamedTensor> given_;
};

Result<std::vector<FedInput>> inputs_fed(const Interface& interface, const std::vector<NamedTensor>& given) {
  std::vector<FedInput> fed;
  for (const ValueInfo& input : interface.inputs) {
    if (std::ranges::find(given, input.name, &NamedTensor::name) != given.end()) continue;
    const TokenInput use = token_input_called(input.name);
    const bool may_be =
        use != TokenInput::none && is_token_type(input.dtype) && (!input.has_shape || input.dims.size() == 2);
    if (!may_be)
      return fail(ErrorKind::usage, "nobody knows what of a text input '" + printable(input.name, 100) + "' takes",
                  "tokens go to inputs [N,L] called input_ids, attention_mask, token_type_ids, position_ids, "
                  "decoder_input_ids; give others with --input NAME=VALUE|FILE");
    fed.push_back({input, use});
  }
  const bool has_ids = std::ranges::find(fed, TokenInput::ids, &FedInput::use) != fed.end();
  if (!has_ids) return fail(ErrorKind::usage, "the model has no input of tokens, such as 'input_ids'");
  return fed;
}

}  // namespace

TokenInput token_input_called(const std::string& name) {
  std::string plain = lower_case(name);
  plain = plain.substr(0, plain.find(':'));
  for (const NamedUse& one : names_of_uses) {
    if (!plain.ends_with(one.name)) continue;
    const std::size_t before = plain.size() - one.name.size();
    if (before == 0 || plain[before - 1] == '/' || plain[before - 1] == '.') return one.use;
  }
  return TokenInput::none;
}

Result<std::unique_ptr<SampleSource>> open_tokens(const fs::path& file, const Model& model,
                                                  std::vector<NamedTensor> given) {
  auto texts = PreparedTexts::open(file);
  if (!texts) return tl::unexpected(texts.error());
  auto inputs = inputs_fed(model.interface, given);
  if (!inputs) return tl::unexpected(inputs.error());
  return std::make_unique<Tokens>(std::move(*texts), std::move(*inputs), std::move(given));
}

}  // namespace culprit
