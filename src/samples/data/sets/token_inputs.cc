#include "data/sets/token_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/lower_case.h"
#include "base/text.h"
#include "data/sets/first_state.h"
#include "tensor/steps.h"

namespace culprit {
namespace {

struct NamedUse {
  std::string_view name;
  TokenInput use;
};

constexpr std::array names_of_uses{NamedUse{"decoder_input_ids", TokenInput::right_ids},
                                   NamedUse{"decoder_attention_mask", TokenInput::right_mask},
                                   NamedUse{"encoder_hidden_states", TokenInput::encoded},
                                   NamedUse{"encoder_attention_mask", TokenInput::encoded_mask},
                                   NamedUse{"input_ids", TokenInput::ids},
                                   NamedUse{"input_word_ids", TokenInput::ids},
                                   NamedUse{"token_ids", TokenInput::ids},
                                   NamedUse{"tokens", TokenInput::ids},
                                   NamedUse{"attention_mask", TokenInput::mask},
                                   NamedUse{"input_mask", TokenInput::mask},
                                   NamedUse{"token_type_ids", TokenInput::types},
                                   NamedUse{"input_type_ids", TokenInput::types},
                                   NamedUse{"segment_ids", TokenInput::types},
                                   NamedUse{"position_ids", TokenInput::positions},
                                   NamedUse{"use_cache_branch", TokenInput::has_cache}};

/// Does it take what such an input is fed with?
bool can_take(const ValueInfo& input, TokenInput use) {
  constexpr std::size_t dims_of_states = 3;
  if (use == TokenInput::encoded)
    return is_float(input.dtype) && (!input.has_shape || input.dims.size() == dims_of_states);
  const DType type = input.dtype;
  if (use == TokenInput::has_cache) return type == DType::boolean && (!input.has_shape || input.dims.size() <= 1);
  const bool is_type = type == DType::i64 || type == DType::i32 || type == DType::f32 || type == DType::boolean;
  return is_type && (!input.has_shape || input.dims.size() == 2);
}

std::string scores_among(const Interface& interface) {
  std::vector<std::string> found;
  for (const ValueInfo& output : interface.outputs) {
    const std::string name = lower_case(output.name);
    if (!is_float(output.dtype) || (output.has_shape && output.dims.size() != 3)) continue;
    if (name.find("logits") != std::string::npos) return output.name;
    if (name.find("hidden_state") != std::string::npos) continue;  // what an encoder gives
    found.push_back(output.name);
  }
  return found.size() == 1 && interface.outputs.size() == 1 ? found.front() : "";
}

bool is_fed(const Interface& interface, TokenInput use) {
  return std::ranges::any_of(interface.inputs, [use](const ValueInfo& input) {
    return token_input_called(input.name) == use && can_take(input, use);
  });
}

/// Of a layer's cache: what it keeps of the encoder's text ("past_key_values.0.encoder.key").
bool is_cache_of_encoder(const std::string& input) {
  const std::string name = lower_case(input);
  return name.find("past") != std::string::npos && name.find(".encoder.") != std::string::npos;
}

tl::unexpected<Error> nobody_knows(const std::string& input) {
  if (is_cache_of_encoder(input))
    return fail(ErrorKind::usage, "input '" + printable(input, 100) + "' takes a cache of what an encoder gave",
                "give a decoder that makes it itself, such as decoder_model_merged.onnx or decoder_model.onnx");
  return fail(ErrorKind::usage, "nobody knows what of a text input '" + printable(input, 100) + "' takes",
              "tokens go to inputs [N,L] called input_ids, attention_mask, token_type_ids, position_ids, "
              "decoder_input_ids; give others with --input NAME=VALUE|FILE");
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

TokenInput of_lone_decoder(TokenInput use) {
  switch (use) {
    case TokenInput::ids:
      return TokenInput::right_ids;
    case TokenInput::mask:
      return TokenInput::right_mask;
    case TokenInput::positions:
      return TokenInput::right_positions;
    case TokenInput::types:
      return TokenInput::none;
    default:
      return use;
  }
}

bool TokenModel::has(TokenInput use) const { return std::ranges::find(inputs, use, &FedInput::use) != inputs.end(); }

Result<TokenModel> token_model(const Interface& interface, const std::vector<StatePair>& states,
                               const std::vector<NamedTensor>& given) {
  TokenModel model;
  model.scores = scores_among(interface);
  const bool is_lone_decoder = is_fed(interface, TokenInput::encoded);
  const bool is_merged = is_fed(interface, TokenInput::has_cache);
  for (const ValueInfo& input : interface.inputs) {
    if (std::ranges::find(given, input.name, &NamedTensor::name) != given.end()) continue;
    const TokenInput called = token_input_called(input.name);
    const TokenInput use = is_lone_decoder ? of_lone_decoder(called) : called;
    const auto state = std::ranges::find(states, input.name, &StatePair::input);
    if (use != TokenInput::none && can_take(input, use)) {
      model.inputs.push_back({input, use});
    } else if (const bool stays = is_cache_of_encoder(input.name); state != states.end() && (!stays || is_merged)) {
      auto first = first_state(input);
      if (!first) return tl::unexpected(first.error());
      model.first_states.push_back(
          {input.name, std::move(*first), stays ? first_of_part(state->output) : state_part(state->output)});
    } else {
      return nobody_knows(input.name);
    }
  }
  if (model.has(is_lone_decoder ? TokenInput::right_ids : TokenInput::ids)) return model;
  return fail(ErrorKind::usage, "the model has no input of tokens, such as 'input_ids'");
}

std::string part_while_writing(TokenInput use, const TokenModel& model, const TokenLoop& loop) {
  if (use == TokenInput::has_cache) return std::string(then_true_part);
  const bool is_of_decoder =
      use == TokenInput::right_ids || use == TokenInput::right_mask || use == TokenInput::right_positions;
  if (model.has(TokenInput::right_ids) != is_of_decoder) return "";  // what an encoder reads stays
  switch (use) {
    case TokenInput::ids:
    case TokenInput::right_ids:
      return token_part(loop);
    case TokenInput::mask:
    case TokenInput::right_mask:
      return std::string(more_ones_part);
    case TokenInput::positions:
    case TokenInput::right_positions:
      return std::string(loop.has_cache ? next_number_part : more_numbers_part);
    case TokenInput::types:
    case TokenInput::encoded:
    case TokenInput::encoded_mask:
    case TokenInput::has_cache:
    case TokenInput::none:
      break;
  }
  return "";
}

Result<Tensor> no_cache_yet(const ValueInfo& input) {
  const Shape shape(input.has_shape ? input.dims.size() : 1, 1);
  return cast(Tensor::of<float>(shape, {0}), input.dtype);
}

Result<Tensor> rows_tensor(const TokenRows& rows, std::int64_t length, std::int64_t fill, DType type) {
  std::vector<std::int64_t> all;
  for (const auto& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
    all.resize(all.size() + static_cast<std::size_t>(length) - row.size(), fill);
  }
  return cast(Tensor::of<std::int64_t>({std::ssize(rows), length}, all), type);
}

std::optional<std::int64_t> row_size(const TokenModel& model) {
  const TokenInput written = model.has(TokenInput::right_ids) ? TokenInput::right_ids : TokenInput::ids;
  const auto row = std::ranges::find(model.inputs, written, &FedInput::use);
  if (row == model.inputs.end() || row->declared.dims.size() != 2) return std::nullopt;
  return row->declared.dims[1].value;
}

Result<void> expect_can_write(const TokenModel& model, std::int64_t tokens, std::int64_t positions) {
  if (model.scores.empty())
    return fail(ErrorKind::usage, "--generate: no output tells what comes next",
                "such an output has floats [N,L,V], and is called logits");
  if (!model.first_states.empty() && row_size(model).value_or(1) != 1)
    return fail(ErrorKind::usage, fmt::format("--generate: the model has a cache, and takes {} tokens at every step; "
                                              "those with a cache go on with one",
                                              *row_size(model)));
  if (positions > 0 && tokens > positions)
    return fail(ErrorKind::usage, fmt::format("--generate {}: the model has {} positions", tokens, positions));
  return {};
}

}  // namespace culprit
