#pragma once
// Small models that read and write texts, with answers that are known, for tests of whole commands.

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/cache_folder.h"
#include "eval_folder.h"
#include "texts/prepared_texts.h"

namespace culprit::testing {

class EvalTexts : public Eval {
 protected:
  void put(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  void prepared(const std::string& name, PreparedFacts facts, const std::vector<PreparedSample>& samples) {
    facts.samples = std::ssize(samples);
    std::string text = line_of(facts);
    for (const PreparedSample& sample : samples) text += line_of(sample);
    put(name, text);
  }
  static PreparedSample tokens(const std::vector<std::int64_t>& ids, const std::string& label = "") {
    const auto size = ids.size();
    return {"", {ids}, {std::vector<std::int64_t>(size, 1)}, {std::vector<std::int64_t>(size, 0)}, label, {}, {}};
  }

  /// Adds up what each token says of two classes.
  std::string sentiment(const std::string& name, const std::string& last = "Identity(sum)") {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids) => (float[batch,2] logits) <float[4,2] said = {0,0, 3,0, 0,2, 1,1}, int64[1] axis = {1}>
      { each = Gather(said, input_ids) sum = ReduceSum<keepdims = 0>(each, axis) logits = )" +
                           last + " }");
  }
  /// After each token the next one is the likeliest, around a circle of five.
  std::string next_token(const std::string& name, const std::string& scores) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids) => (float[batch,length,5] logits) <float[5,5] after = {)" +
                           scores + R"(}> { logits = Gather(after, input_ids) })");
  }
  /// next_token with a cache, of which it makes no use.
  std::string cached_next_token(const std::string& name, const std::string& scores) {
    return model(name, std::string(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids, float[batch,1,past,1] "past_key_values.0.key")
      => (float[batch,length,5] logits, float[batch,1,all,1] "present.0.key")
      <int64[2] around = {1,3}, float[5,5] after = {)") +
                           scores + R"(}>
      { logits = Gather(after, input_ids) floats = Cast<to = 1>(input_ids) key = Unsqueeze(floats, around)
        "present.0.key" = Concat<axis = 2>("past_key_values.0.key", key) })");
  }
  /// An encoder and a decoder as two files, and both in one: after each token the next one of the circle, but for what
  /// the text says against it. Tokens from 3 on the encoder does not know.
  std::string encoder(const std::string& name) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids, int64[batch,length] attention_mask) => (float[batch,length,2] last_hidden_state)
      <float[3,2] said = {0,0, 9,0, 0,7}> { last_hidden_state = Gather(said, input_ids) })");
  }
  std::string decoder(const std::string& name, const std::string& inputs, const std::string& begin) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g ()" + inputs + R"() => (float[batch,place,5] logits)
      <float[3,2] said = {0,0, 9,0, 0,7}, float[2,5] against = {0,0,1,0,0, 1,0,0,1,0}, int64[1] end = {2}, int64[1] first = {1},
       float[5,5] after = {)" +
                           circle + R"(}>
      { )" + begin + R"( floats = Cast<to = 1>(mask) column = Unsqueeze(floats, end) known = Mul(states, column)
        all = ReduceSum(known, first) bias = MatMul(all, against) next = Gather(after, ids) logits = Sub(next, bias) })");
  }
  std::string lone_decoder(const std::string& name) {
    return decoder(name,
                   "int64[batch,length] encoder_attention_mask, int64[batch,place] input_ids, float[batch,length,2] "
                   "encoder_hidden_states",
                   "mask = Identity(encoder_attention_mask) ids = Identity(input_ids) "
                   "states = Identity(encoder_hidden_states)");
  }
  std::string joined(const std::string& name) {
    return decoder(
        name,
        "int64[batch,length] input_ids, int64[batch,length] attention_mask, int64[batch,place] "
        "decoder_input_ids",
        "mask = Identity(attention_mask) ids = Identity(decoder_input_ids) states = Gather(said, input_ids)");
  }
  /// lone_decoder with a cache of what the encoder gave, as Optimum merges the first step and all later ones into one
  /// If.
  std::string merged_decoder(const std::string& name, const std::string& later = "Sub") {
    return model(name, std::string(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] encoder_attention_mask, int64[batch,place] input_ids,
         float[batch,length,2] encoder_hidden_states, float[batch,1,past,1] "past_key_values.0.decoder.key",
         float[batch,1,1,5] "past_key_values.0.encoder.key", bool[1] use_cache_branch)
      => (float[batch,place,5] logits, float[batch,1,all,1] "present.0.decoder.key",
          float[many,1,1,5] "present.0.encoder.key")
      <float[2,5] against = {0,0,1,0,0, 1,0,0,1,0}, int64[1] zero = {0}, int64[1] first = {1}, int64[1] second = {2},
       int64[2] around = {1,3}, float[5,5] after = {)") +
                           circle + R"(}>
      { floats = Cast<to = 1>(input_ids) key = Unsqueeze(floats, around)
        logits, "present.0.decoder.key", "present.0.encoder.key" = If(use_cache_branch) <
          then_branch = t () => (float[batch,1,5] later, float[batch,1,all,1] grown, float[0,1,1,5] nothing) {
            known_bias = Squeeze("past_key_values.0.encoder.key", first) late_next = Gather(after, input_ids)
            later = )" + later +
                           R"((late_next, known_bias)
            grown = Concat<axis = 2>("past_key_values.0.decoder.key", key)
            nothing = Slice("past_key_values.0.encoder.key", zero, zero, zero) },
          else_branch = e () => (float[batch,place,5] sooner, float[batch,1,place,1] began, float[batch,1,1,5] kept) {
            mask = Cast<to = 1>(encoder_attention_mask) column = Unsqueeze(mask, second)
            known = Mul(encoder_hidden_states, column) all = ReduceSum(known, first) bias = MatMul(all, against)
            next = Gather(after, input_ids) sooner = Sub(next, bias)
            began = Identity(key) kept = Unsqueeze(bias, first) }>
      })");
  }
  static bool has_tokenizers() {
    return std::system("/usr/bin/python3 -c 'import tokenizers' 2>/dev/null") == 0 ||
           std::getenv("CULPRIT_TEXT_PYTHON") != nullptr || fs::exists(cache_folder() / "text" / "bin" / "python");
  }
  static constexpr const char* circle = "0,5,1,1,1, 1,0,5,1,1, 1,1,0,5,1, 1,1,1,0,5, 5,1,1,1,0";
  static constexpr const char* broken_circle = "0,5,1,1,1, 1,0,5,1,1, 1,1,0,1,6, 1,1,1,0,5, 5,1,1,1,0";
};

}  // namespace culprit::testing
