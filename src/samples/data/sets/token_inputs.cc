#include "data/sets/token_inputs.h"

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

bool takes_numbers(const ValueInfo& input) {
  const DType type = input.dtype;
  const bool is_type = type == DType::i64 || type == DType::i32 || type == DType::f32 || type == DType::boolean;
  return is_type && (!input.has_shape || input.dims.size() == 2);
}

std::string scores_among(const Interface& interface) {
  std::vector<std::string> found;
  for (const ValueInfo& output : interface.outputs) {
    if (!is_float(output.dtype) || (output.has_shape && output.dims.size() != 3)) continue;
    if (lower_case(output.name).find("logits") != std::string::npos) return output.name;
    found.push_back(output.name);
  }
  return found.size() == 1 && interface.outputs.size() == 1 ? found.front() : "";
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

bool TokenModel::has(TokenInput use) const { return std::ranges::find(inputs, use, &FedInput::use) != inputs.end(); }

Result<TokenModel> token_model(const Interface& interface, const std::vector<StatePair>& states,
                               const std::vector<NamedTensor>& given) {
  TokenModel model;
  model.scores = scores_among(interface);
  for (const ValueInfo& input : interface.inputs) {
    if (std::ranges::find(given, input.name, &NamedTensor::name) != given.end()) continue;
    const TokenInput use = token_input_called(input.name);
    const auto state = std::ranges::find(states, input.name, &StatePair::input);
    if (use != TokenInput::none && takes_numbers(input)) {
      model.inputs.push_back({input, use});
    } else if (state != states.end()) {
      auto first = first_state(input);
      if (!first) return tl::unexpected(first.error());
      model.first_states.push_back({input.name, std::move(*first), state_part(state->output)});
    } else {
      return fail(ErrorKind::usage, "nobody knows what of a text input '" + printable(input.name, 100) + "' takes",
                  "tokens go to inputs [N,L] called input_ids, attention_mask, token_type_ids, position_ids, "
                  "decoder_input_ids; give others with --input NAME=VALUE|FILE");
    }
  }
  if (model.has(TokenInput::ids)) return model;
  return fail(ErrorKind::usage, "the model has no input of tokens, such as 'input_ids'");
}

std::string part_while_writing(TokenInput use, const TokenModel& model, const TokenLoop& loop) {
  const bool is_of_decoder = use == TokenInput::right_ids || use == TokenInput::right_mask;
  if (model.has(TokenInput::right_ids) != is_of_decoder) return "";  // what an encoder reads stays
  switch (use) {
    case TokenInput::ids:
    case TokenInput::right_ids:
      return token_part(loop);
    case TokenInput::mask:
    case TokenInput::right_mask:
      return std::string(more_ones_part);
    case TokenInput::positions:
      return std::string(loop.has_cache ? next_number_part : more_numbers_part);
    case TokenInput::types:
    case TokenInput::none:
      break;
  }
  return "";
}

Result<Tensor> rows_tensor(const TokenRows& rows, std::int64_t length, std::int64_t fill, DType type) {
  std::vector<std::int64_t> all;
  for (const auto& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
    all.resize(all.size() + static_cast<std::size_t>(length) - row.size(), fill);
  }
  return cast(Tensor::of<std::int64_t>({std::ssize(rows), length}, all), type);
}

}  // namespace culprit
