#include "data/sets/token_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "data/sets/text_classes.h"
#include "data/sets/token_inputs.h"
#include "data/sets/told_states.h"
#include "texts/beside_tokenizer.h"
#include "texts/prepared_texts.h"
#include "tokens/token_decoder.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

std::int64_t longest_of(const TokenRows& rows) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  return static_cast<std::int64_t>(longest);
}

/// Rows of the same sizes.
TokenRows filled_like(const TokenRows& rows, std::int64_t first, std::int64_t step) {
  TokenRows made = rows;
  for (auto& row : made)
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = first + step * static_cast<std::int64_t>(i);
  return made;
}

TokenRows with_more(TokenRows rows, const std::vector<std::int64_t>& more) {
  rows.front().insert(rows.front().end(), more.begin(), more.end());
  return rows;
}

/// How a model is fed with texts.
struct TokenFeeding {
  TokenModel model;
  std::vector<NamedTensor> given;
  TokenLoop loop;              // of no steps: nothing is written
  std::int64_t positions = 0;  // that the model has for tokens; 0: nobody says
  std::string how = {};        // the texts became tokens; "": nobody says
  std::string preparation = {};
};

Error not_encoded(ErrorKind kind) {
  return {kind, "the texts were prepared without an encoder", "culprit data prepare --encoder encoder_model.onnx"};
}

/// How many tokens the model can read; 0: nobody says. What its configuration says of a decoder is no limit.
std::int64_t positions_of(const TokenModel& fed, const Model& model, const PreparedTexts& texts) {
  const bool is_decoder = fed.has(TokenInput::right_ids);
  const std::int64_t told = is_decoder ? 0 : positions_beside(model.path).value_or(texts.facts().positions);
  const std::int64_t own = fed.first_states.empty() ? row_size(fed).value_or(told) : told;
  return told == 0 ? own : std::min(own, told);
}

class Tokens final : public SampleSource {
 public:
  Tokens(PreparedTexts texts, TokenFeeding feeding, TextClasses classes, std::shared_ptr<const TokenDecoder> decoder)
      : texts_(std::move(texts)),
        feeding_(std::move(feeding)),
        classes_(std::move(classes)),
        decoder_(std::move(decoder)) {}

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
    if (goes_on() && prepared->ids.size() > 1)
      return fail(ErrorKind::bad_input, "a text in several windows is none that goes on");
    if (auto ok = expect_positions(*prepared); !ok) return tl::unexpected(ok.error());
    Sample sample{prepared->name, {}};
    const TokenLoop loop = loop_for(*prepared);
    for (const FedInput& input : feeding_.model.inputs) {
      auto value = value_of(input, *prepared);
      if (!value) return tl::unexpected(value.error());
      const std::string part = writes() ? part_while_writing(input.use, feeding_.model, loop) : "";
      sample.inputs.push_back({input.declared.name, std::move(*value), part});
    }
    for (const NamedTensor& state : feeding_.model.first_states)
      sample.inputs.push_back({state.name, state.value, writes() ? state.part : ""});
    put_given(sample, feeding_.given);
    return sample;
  }

  [[nodiscard]] bool gives_the_same_as(const SampleSource& other) const override {
    const auto* tokens = dynamic_cast<const Tokens*>(&other);
    if (tokens == nullptr || texts_.facts().key != tokens->texts_.facts().key || texts_.facts().key.empty())
      return false;
    const TokenFeeding& theirs = tokens->feeding_;
    return std::ranges::equal(feeding_.model.inputs, theirs.model.inputs, are_fed_alike) &&
           are_identical(feeding_.model.first_states, theirs.model.first_states) && feeding_.loop == theirs.loop &&
           feeding_.positions == theirs.positions && feeding_.model.scores == theirs.model.scores &&
           are_identical(feeding_.given, theirs.given);
  }

  [[nodiscard]] std::string preparation() const override { return feeding_.preparation; }

  [[nodiscard]] bool has_truth() const override { return texts_.facts().has_truth; }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    auto sample = texts_.at(number);
    Truth truth;
    if (!sample) return truth;
    truth.label = class_of(sample->label);
    if (const auto named = class_name(truth.label)) truth.name = *named;
    truth.texts = std::move(sample->right);
    return truth;
  }

  /// Rows that are filled up have places for what fills them, too.
  [[nodiscard]] std::optional<SampleText> text(std::int64_t number) const override {
    auto sample = texts_.at(number);
    if (!sample || (!sample->text && !goes_on())) return std::nullopt;
    if (goes_on()) return continued(*sample);
    const auto ids = std::ranges::find(feeding_.model.inputs, TokenInput::ids, &FedInput::use);
    const bool has_ids = ids != feeding_.model.inputs.end();  // a decoder that stands alone has none
    const std::int64_t length = has_ids ? length_of(sample->ids, *ids).value_or(0) : longest_of(sample->ids);
    for (auto& window : sample->text->windows) window.resize(std::max(window.size(), static_cast<std::size_t>(length)));
    return std::move(sample->text);
  }

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_.names; }

  [[nodiscard]] std::vector<std::string> description() const override {
    const PreparedFacts& facts = texts_.facts();
    std::vector<std::string> lines{fmt::format("{} texts of {} ({}), prepared", facts.samples,
                                               printable(facts.from, 100), printable(facts.kind, 40))};
    if (!feeding_.how.empty()) lines.push_back(feeding_.how);
    if (writes())
      lines.push_back(fmt::format("{} tokens are generated after each, {}", feeding_.loop.steps,
                                  feeding_.loop.has_cache ? "with the model's cache" : "without a cache"));
    else if (reads_target())
      lines.emplace_back("the model reads each text together with what is right to follow");
    if (feeding_.model.has(TokenInput::encoded) && !facts.encoder.empty())
      lines.push_back(fmt::format("read by the encoder {}", printable(facts.encoder, 100)));
    lines.insert(lines.end(), classes_.about.begin(), classes_.about.end());
    if (facts.cut > 0) lines.push_back(fmt::format("{} texts are cut to {} tokens", facts.cut, facts.max_length));
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

  [[nodiscard]] bool writes() const { return feeding_.loop.steps > 0; }
  [[nodiscard]] bool has_decoder_input() const { return feeding_.model.has(TokenInput::right_ids); }
  /// Is the model one that tells what comes next, and what is asked of it?
  [[nodiscard]] bool goes_on() const { return writes() || reads_target() || (has_decoder_input() && tells_next()); }
  [[nodiscard]] bool tells_next() const { return !feeding_.model.scores.empty(); }
  [[nodiscard]] bool reads_target() const {
    return !writes() && tells_next() && !has_decoder_input() && texts_.facts().have_targets;
  }

  /// The model's class of a label of the file.
  [[nodiscard]] std::string class_of(const std::string& label) const {
    for (std::size_t i = 0; i < classes_.of_label.size(); ++i)
      if (std::to_string(i) == label) return std::to_string(classes_.of_label[i]);
    return label;
  }
  [[nodiscard]] std::optional<std::string> class_name(const std::string& label) const {
    for (std::size_t i = 0; i < classes_.names.size(); ++i)
      if (std::to_string(i) == label) return classes_.names[i];
    return std::nullopt;
  }

  /// With how many tokens begins what is gone on with?
  [[nodiscard]] std::int64_t begin_of(const PreparedSample& sample) const {
    return has_decoder_input() ? 1 : std::ssize(sample.ids.front());
  }
  [[nodiscard]] TokenLoop loop_for(const PreparedSample& sample) const {
    TokenLoop loop = feeding_.loop;
    if (writes() && !loop.has_cache && row_size(feeding_.model)) loop.filled = begin_of(sample);
    return loop;
  }

  [[nodiscard]] SampleText continued(const PreparedSample& sample) const {
    SampleText text;
    text.decoder = decoder_;
    text.target = sample.target;
    text.end = texts_.facts().end;
    if (reads_target()) text.first_predicted = std::max<std::int64_t>(0, std::ssize(sample.ids.front()) - 1);
    return text;
  }

  /// How long a row of this input is: as the model's own size says, else as the longest row of the sample.
  static Result<std::int64_t> length_of(const TokenRows& rows, const FedInput& input) {
    const std::int64_t longest = longest_of(rows);
    const auto& dims = input.declared.dims;
    const std::int64_t length = dims.size() == 2 ? dims[1].value.value_or(longest) : longest;
    if (longest <= length) return length;
    return fail(ErrorKind::bad_input,
                fmt::format("it has {} tokens, and input '{}' takes {}", longest, input.declared.name, length),
                fmt::format("culprit data prepare --max-length {}", length));
  }

  static Result<void> expect_rows(const TokenRows& rows, const FedInput& input) {
    const auto& dims = input.declared.dims;
    if (dims.size() != 2 || !dims[0].value || *dims[0].value == std::ssize(rows)) return {};
    return fail(ErrorKind::bad_input, fmt::format("it has {} rows of tokens, and input '{}' takes {}", rows.size(),
                                                  input.declared.name, *dims[0].value));
  }

  /// What the model reads behind a text needs positions, too. The last token that is generated is not read.
  [[nodiscard]] Result<void> expect_positions(const PreparedSample& sample) const {
    const std::int64_t tokens = begin_of(sample), positions = feeding_.positions;
    const std::int64_t more = writes() ? feeding_.loop.steps - 1 : reads_target() ? std::ssize(sample.target) : 0;
    const bool may_be_long = goes_on() && (writes() || !has_decoder_input());
    if (positions == 0 || !may_be_long || tokens + more <= positions) return {};
    const std::string follows = writes() ? fmt::format("{} are to be generated", feeding_.loop.steps)
                                         : fmt::format("{} are right to follow", more);
    return fail(ErrorKind::bad_input,
                fmt::format("it has {} tokens, {}, and the model has {} positions", tokens, follows, positions),
                more < positions ? fmt::format("culprit data prepare --max-length {}", positions - more) : "");
  }

  /// What a decoder is fed with: a first token, and what is right to follow it, which its answers are held against.
  [[nodiscard]] Result<TokenRows> decoder_rows(const PreparedSample& sample) const {
    const PreparedFacts& facts = texts_.facts();
    std::vector<std::int64_t> row{facts.first >= 0 ? facts.first : facts.pad};
    if (writes()) return TokenRows{row};
    if (sample.target.empty()) return fail(ErrorKind::bad_input, "nobody knows what is right to follow");
    row.insert(row.end(), sample.target.begin(), sample.target.end() - 1);
    return TokenRows{std::move(row)};
  }

  [[nodiscard]] Result<TokenRows> rows_for(TokenInput use, const PreparedSample& sample) const {
    const std::vector<std::int64_t>& more = reads_target() ? sample.target : nothing_;
    switch (use) {
      case TokenInput::mask:
        return with_more(sample.mask, std::vector<std::int64_t>(more.size(), 1));
      case TokenInput::types:
        return with_more(sample.types, std::vector<std::int64_t>(more.size(), 0));
      case TokenInput::positions:
        return filled_like(with_more(sample.ids, more), 0, 1);
      case TokenInput::right_ids:
        return decoder_rows(sample);
      case TokenInput::right_mask:
        return decoder_rows(sample).map([](const TokenRows& rows) { return filled_like(rows, 1, 0); });
      case TokenInput::right_positions:
        return decoder_rows(sample).map([](const TokenRows& rows) { return filled_like(rows, 0, 1); });
      case TokenInput::encoded_mask:
        return sample.mask;
      case TokenInput::encoded:
      case TokenInput::ids:
      case TokenInput::has_cache:
      case TokenInput::none:
        break;
    }
    return with_more(sample.ids, more);
  }

  static Result<Tensor> encoded_value(const FedInput& input, const PreparedSample& sample) {
    if (!sample.encoded) return tl::unexpected(not_encoded(ErrorKind::bad_input));
    const auto& dims = input.declared.dims;
    const Shape& shape = sample.encoded->shape();
    for (std::size_t i = 0; i < std::min(dims.size(), shape.size()); ++i)
      if (dims[i].value && *dims[i].value != shape[i])
        return fail(ErrorKind::bad_input,
                    fmt::format("what the encoder made of it is {}, and input '{}' takes {} in place {}",
                                to_string(shape), printable(input.declared.name, 100), *dims[i].value, i));
    return cast(*sample.encoded, input.declared.dtype);
  }

  /// The mask of what an encoder read is as long as what it gave.
  static Result<std::int64_t> length_for(const FedInput& input, const TokenRows& rows, const PreparedSample& sample) {
    if (input.use == TokenInput::encoded_mask && sample.encoded) return sample.encoded->shape()[1];
    return length_of(rows, input);
  }

  [[nodiscard]] Result<Tensor> value_of(const FedInput& input, const PreparedSample& sample) const {
    if (input.use == TokenInput::encoded) return encoded_value(input, sample);
    if (input.use == TokenInput::has_cache) return no_cache_yet(input.declared);
    const auto rows = rows_for(input.use, sample);
    if (!rows) return tl::unexpected(rows.error());
    if (auto ok = expect_rows(*rows, input); !ok) return tl::unexpected(ok.error());
    const auto length = length_for(input, *rows, sample);
    if (!length) return tl::unexpected(length.error());
    const bool is_of_tokens = input.use == TokenInput::ids || input.use == TokenInput::right_ids;
    return rows_tensor(*rows, *length, is_of_tokens ? texts_.facts().pad : 0, input.declared.dtype);
  }

  PreparedTexts texts_;
  TokenFeeding feeding_;
  TextClasses classes_;
  std::shared_ptr<const TokenDecoder> decoder_;
  std::vector<std::int64_t> nothing_;
};

/// The decoder is null if the file does not tell of its tokenizer.
Result<std::shared_ptr<const TokenDecoder>> decoder_of(const PreparedFacts& facts) {
  if (facts.tokenizer == "{}") return nullptr;
  auto decoder = TokenDecoder::of(facts.tokenizer);
  if (!decoder) return tl::unexpected(decoder.error());
  return std::make_shared<const TokenDecoder>(std::move(*decoder));
}

Result<void> expect_encoded(const TokenModel& model, const PreparedTexts& texts) {
  if (!model.has(TokenInput::encoded) || texts.facts().samples == 0) return {};
  const auto first = texts.at(0);
  return first && !first->encoded ? tl::unexpected(not_encoded(ErrorKind::usage)) : Result<void>();
}

}  // namespace

Result<std::unique_ptr<SampleSource>> open_encoder_tokens(const fs::path& file, const Model& encoder) {
  auto texts = PreparedTexts::open(file);
  if (!texts) return tl::unexpected(texts.error());
  auto fed = token_model(encoder.interface, {}, {});
  if (!fed) return tl::unexpected(fed.error());
  fed->scores.clear();
  return std::make_unique<Tokens>(std::move(*texts), TokenFeeding{std::move(*fed), {}, {}}, TextClasses(), nullptr);
}

Result<std::unique_ptr<SampleSource>> open_tokens(const ModelTexts& prepared, const Model& model, TokenWish wish) {
  auto texts = PreparedTexts::open(prepared.file);
  if (!texts) return tl::unexpected(texts.error());
  const auto states = states_of(model);
  if (!states) return tl::unexpected(states.error());
  auto fed = token_model(model.interface, *states, wish.given);
  if (!fed) return tl::unexpected(fed.error());
  if (auto ok = expect_encoded(*fed, *texts); !ok) return tl::unexpected(ok.error());
  const std::int64_t positions = positions_of(*fed, model, *texts);
  if (wish.generate > 0)
    if (auto ok = expect_can_write(*fed, wish.generate, positions); !ok) return tl::unexpected(ok.error());
  TokenFeeding feeding{std::move(*fed), std::move(wish.given), {}, positions, prepared.how, prepared.preparation};
  if (wish.generate > 0)
    feeding.loop = {wish.generate, texts->facts().end, feeding.model.scores, !feeding.model.first_states.empty()};
  auto decoder = decoder_of(texts->facts());
  if (!decoder) return tl::unexpected(decoder.error());
  auto classes = classes_of_texts(texts->facts(), {std::move(wish.classes), "`classes` in culprit.yaml"}, model);
  if (!classes) return tl::unexpected(classes.error());
  return std::make_unique<Tokens>(std::move(*texts), std::move(feeding), std::move(*classes), std::move(*decoder));
}

std::vector<std::string> text_classes(const SampleSource& source) {
  const auto* tokens = dynamic_cast<const Tokens*>(&source);
  return tokens == nullptr ? std::vector<std::string>() : tokens->classes();
}

}  // namespace culprit
