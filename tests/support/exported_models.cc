#include "support/exported_models.h"

#include <onnx/defs/parser.h>

#include <functional>
#include <map>
#include <stdexcept>

#include "base/random.h"
#include "base/text.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

struct Weight {
  std::string name;
  Shape shape;
  double scale = 0.3;
  DType type = DType::f32;
};

void add_weight(onnx::GraphProto& graph, const Weight& weight) {
  Random random(0, weight.name);
  std::vector<float> values(static_cast<std::size_t>(element_count(weight.shape).value()));
  for (float& value : values) value = static_cast<float>(weight.scale * random.normal());
  *graph.add_initializer() = to_proto(cast(Tensor::of<float>(weight.shape, values), weight.type).value(), weight.name);
}

/// A value or a dimension gets a name that the text syntax does not allow.
void rename(onnx::ModelProto& model, const std::string& from, const std::string& to) {
  const auto change = [&](std::string* name) {
    if (*name == from) *name = to;
  };
  auto& graph = *model.mutable_graph();
  for (auto* values : {graph.mutable_input(), graph.mutable_output()}) {
    for (auto& value : *values) {
      change(value.mutable_name());
      if (!value.type().has_tensor_type()) continue;
      for (auto& dim : *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim())
        if (dim.has_dim_param()) change(dim.mutable_dim_param());
    }
  }
  for (auto& node : *graph.mutable_node()) {
    for (auto& name : *node.mutable_input()) change(&name);
    for (auto& name : *node.mutable_output()) change(&name);
  }
}

onnx::ModelProto model_of(const std::string& signature, const std::string& body, const std::vector<Weight>& weights,
                          const std::string& opsets = "\"\" : 17") {
  onnx::ModelProto model;
  const std::string text = "<ir_version: 8, opset_import: [" + opsets + "]> g " + signature + " {" + body + "}";
  const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
  if (!parsed.IsOK()) throw std::runtime_error(parsed.ErrorMessage());
  for (const Weight& weight : weights) add_weight(*model.mutable_graph(), weight);
  return model;
}

constexpr std::int64_t vocabulary = 50'000, width = 16;

const std::string sizes_of_heads =
    "int64[4] split = {0, 0, 2, 8}, int64[3] joined = {0, 0, 16}, float root = {2.828}, float one = {1}, float out = "
    "{-3.4e38}, int64[2] to_heads = {1, 2}";

/// Queries of `of`, keys and values of `with`, as two heads.
std::string projections(const std::string& of, const std::string& with) {
  const auto project = [](const std::string& from, const std::string& letter) {
    return letter + "m = MatMul(" + from + ", w" + letter + ") " + letter + "s = Reshape(" + letter + "m, split) " +
           letter + " = Transpose <perm = [0,2,1,3]> (" + letter + "s) ";
  };
  return project(of, "q") + project(with, "k") + project(with, "v");
}

std::string additive_mask(const std::string& mask) {
  return "m1 = Unsqueeze(" + mask + ", to_heads) m2 = Cast <to = 1> (m1) m3 = Sub(one, m2) bias = Mul(m3, out) ";
}

std::string attention(const std::string& residual, const std::string& to) {
  return "kt = Transpose <perm = [0,1,3,2]> (keys) s1 = MatMul(q, kt) s2 = Div(s1, root) s3 = Add(s2, bias) p = "
         "Softmax <axis = -1> (s3) c1 = MatMul(p, values) c2 = Transpose <perm = [0,2,1,3]> (c1) c3 = Reshape(c2, "
         "joined) o = MatMul(c3, wo) " +
         to + " = Add(o, " + residual + ") ";
}

std::vector<Weight> with_projections(std::vector<Weight> weights) {
  for (const char* name : {"wq", "wk", "wv", "wo"}) weights.push_back({name, {width, width}});
  return weights;
}

ExportedModel bert() {
  const std::string signature =
      "(int64[batch_size,sequence_length] input_ids, int64[batch_size,sequence_length] attention_mask, "
      "int64[batch_size,sequence_length] token_type_ids) => (float[batch_size,sequence_length,16] last_hidden_state) "
      "<" +
      sizes_of_heads +
      ", int64 at = {1}, int64[1] first = {0}, int64[1] flat = {-1}, float[16] ones = "
      "{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}>";
  const std::string body =
      "w = Gather(words, input_ids) t = Gather(types, token_type_ids) shape = Shape(input_ids) n = Gather(shape, at) "
      "n1 = Reshape(n, flat) here = Slice(places, first, n1, first) e1 = Add(w, t) e2 = Add(e1, here) h = "
      "LayerNormalization(e2, ones) " +
      additive_mask("attention_mask") + projections("h", "h") + "keys = Identity(k) values = Identity(v) " +
      attention("h", "last_hidden_state");
  return {
      "bert",
      {"input_ids: 0..49999, rows of 'words' (Gather)", "token_type_ids: 0..1, rows of 'types' (Gather)",
       "attention_mask: ones, then a shorter prefix"},
      {"batch_size", "sequence_length"},
      model_of(signature, body,
               with_projections({{"words", {vocabulary, width}}, {"types", {2, width}}, {"places", {512, width}}}))};
}

ExportedModel gpt_with_cache() {
  const std::string signature =
      "(int64[batch_size,sequence_length] input_ids, int64[batch_size,total] attention_mask, "
      "int64[batch_size,sequence_length] position_ids, float[batch_size,2,past_sequence_length,8] past_key, "
      "float[batch_size,2,past_sequence_length,8] past_value) => (float[batch_size,sequence_length,50000] logits, "
      "float[batch_size,2,total,8] present_key, float[batch_size,2,total,8] present_value) <" +
      sizes_of_heads + ">";
  const std::string body =
      "w = Gather(wte, input_ids) p0 = Gather(wpe, position_ids) h = Add(w, p0) " + additive_mask("attention_mask") +
      projections("h", "h") +
      "present_key = Concat <axis = 2> (past_key, k) present_value = Concat <axis = 2> (past_value, "
      "v) keys = Identity(present_key) values = Identity(present_value) " +
      attention("h", "y") + "wt = Transpose <perm = [1,0]> (wte) logits = MatMul(y, wt)";
  ExportedModel made{
      "gpt_with_cache",
      {"input_ids: 0..49999, rows of 'wte' (Gather)", "position_ids: up to 1023, positions"},
      {"batch_size", "past_sequence_length", "sequence_length", "past_sequence_length + sequence_length"},
      model_of(signature, body, with_projections({{"wte", {vocabulary, width}}, {"wpe", {1024, width}}}))};
  rename(made.model, "total", "past_sequence_length + sequence_length");
  rename(made.model, "past_key", "past_key_values.0.key");
  rename(made.model, "past_value", "past_key_values.0.value");
  rename(made.model, "present_key", "present.0.key");
  rename(made.model, "present_value", "present.0.value");
  return made;
}

/// As builders for onnxruntime-genai name them.
ExportedModel gpt_with_total_length() {
  ExportedModel made = gpt_with_cache();
  made.name = "gpt_with_total_length";
  made.other.back() = "total_sequence_length";
  rename(made.model, "past_sequence_length + sequence_length", "total_sequence_length");
  return made;
}

ExportedModel cross_attention() {
  const std::string signature =
      "(int64[batch_size,decoder_sequence_length] decoder_input_ids, float[batch_size,encoder_sequence_length,16] "
      "encoder_hidden_states, int64[batch_size,encoder_sequence_length] encoder_attention_mask) => "
      "(float[batch_size,decoder_sequence_length,16] y) <" +
      sizes_of_heads + ">";
  const std::string body = "h = Gather(words, decoder_input_ids) " + additive_mask("encoder_attention_mask") +
                           projections("h", "encoder_hidden_states") + "keys = Identity(k) values = Identity(v) " +
                           attention("h", "y");
  return {"cross_attention",
          {"decoder_input_ids: 0..49999"},
          {"batch_size", "decoder_sequence_length", "encoder_sequence_length"},
          model_of(signature, body, with_projections({{"words", {vocabulary, width}}}))};
}

const std::string uint8_zero = "uint8 z8 = {128}, int8 zw = {0}";

ExportedModel qdq() {
  const std::string signature =
      "(float[batch,3,32,32] images) => (float[batch,8,30,30] y) <float sx = {0.02}, float sw = {0.01}, float sy = "
      "{0.05}, " +
      uint8_zero + ">";
  const std::string body =
      "xq = QuantizeLinear(images, sx, z8) xd = DequantizeLinear(xq, sx, z8) wd = DequantizeLinear(w8, sw, zw) c = "
      "Conv(xd, wd) r = Relu(c) rq = QuantizeLinear(r, sy, z8) y = DequantizeLinear(rq, sy, z8)";
  return {"qdq", {}, {"batch"}, model_of(signature, body, {{"w8", {8, 3, 3, 3}, 40, DType::i8}})};
}

ExportedModel dynamically_quantized() {
  const std::string signature =
      "(float[batch,length,16] x, float[batch,2,9,9] picture) => (float[batch,length,8] y, float[batch,4,7,7] z) "
      "<float "
      "sw = {0.01}, int8 zw = {0}>";
  const std::string body =
      "xq, xs, xz = DynamicQuantizeLinear(x) i = MatMulInteger(xq, w8, xz, zw) f = Cast <to = 1> (i) s = Mul(xs, sw) y "
      "= "
      "Mul(f, s) pq, ps, pz = DynamicQuantizeLinear(picture) ci = ConvInteger(pq, k8, pz) cf = Cast <to = 1> (ci) cs = "
      "Mul(ps, sw) z = Mul(cf, cs)";
  return {"dynamically_quantized",
          {},
          {"batch", "length"},
          model_of(signature, body, {{"w8", {16, 8}, 40, DType::i8}, {"k8", {4, 2, 3, 3}, 40, DType::u8}})};
}

ExportedModel quantized_inputs() {
  const std::string signature = "(uint8[batch,16] a, int8[16,4] b, uint8 a_zero, float a_scale) => (float[batch,4] y)";
  const std::string body =
      "i = MatMulInteger(a, b, a_zero) f = Cast <to = 1> (i) d = DequantizeLinear(a, a_scale, a_zero) r = ReduceMean "
      "<axes = [1]> (d) y = Add(f, r)";
  return {"quantized_inputs",
          {"a: 0..255, quantized", "b: -128..127, quantized", "a_scale: 0.01..0.05, a scale"},
          {"batch"},
          model_of(signature, body, {})};
}

ExportedModel suppression() {
  const std::string signature =
      "(float[1,spatial_dimension,4] boxes, float[1,3,spatial_dimension] scores, int64 most, float overlap, float "
      "least) "
      "=> (int64[selected,3] found, float[selected,4] kept) <int64 last = {2}, int64[1] flat = {0}>";
  const std::string body =
      "found = NonMaxSuppression(boxes, scores, most, overlap, least) at = Gather <axis = 1> (found, last) bs = "
      "Squeeze(boxes, flat) kept = Gather(bs, at)";
  return {"suppression",
          {"most: 3..20, boxes at most (NonMaxSuppression)", "overlap: 0.3..0.7"},
          {"spatial_dimension"},
          model_of(signature, body, {})};
}

ExportedModel strings() {
  const std::string signature =
      "(string[batch,tokens] text) => (float[batch,tokens] y, string[words] flat) <int64[1] all = {-1}>";
  const std::string body =
      "y = ai.onnx.ml.LabelEncoder <keys_strings = [\"cat\", \"dog\", \"the\"], values_floats = [1.5, -2.0, 0.25], "
      "default_float = 0.5> (text) flat = Reshape(text, all)";
  return {"strings", {}, {"batch", "tokens"}, model_of(signature, body, {}, "\"\" : 17, \"ai.onnx.ml\" : 2")};
}

ExportedModel branches() {
  const std::string signature = "(float[batch,16] x, bool use_relu, bool[1] twice) => (float[batch,16] y)";
  const std::string body =
      "h = If (use_relu) <then_branch = t () => (float[batch,16] a) { a = Relu(x) }, else_branch = e () => "
      "(float[batch,16] b) { b = Neg(x) }> y = If (twice) <then_branch = t2 () => (float[batch,16] c) { c = Add(h, h) "
      "}, "
      "else_branch = e2 () => (float[batch,16] d) { d = Abs(h) }>";
  return {"branches",
          {"use_relu: true and false in turn (If)", "twice: true and false in turn (If)"},
          {"batch"},
          model_of(signature, body, {})};
}

ExportedModel rounds() {
  const std::string signature = "(float[batch,4] x, int64 steps, bool start) => (float[batch,4] y)";
  const std::string body =
      "y = Loop (steps, start, x) <body = b (int64 i, bool go, float[batch,4] before) => (bool again, float[batch,4] "
      "after) { m = MatMul(before, w) after = Tanh(m) again = Identity(go) }>";
  return {"rounds",
          {"steps: 2..5, rounds (Loop)", "start: 1..1, true (Loop)"},
          {"batch"},
          model_of(signature, body, {{"w", {4, 4}, 0.8}})};
}

ExportedModel scanned() {
  const std::string signature =
      "(int64[sequence_length] ids, float[16] state) => (float[16] last, float[sequence_length,16] all)";
  const std::string body =
      "last, all = Scan <num_scan_inputs = 1, body = b (float[16] before, int64 id) => (float[16] after, float[16] "
      "seen) "
      "{ row = Gather(words, id) s = Add(before, row) after = Tanh(s) seen = Identity(after) }> (state, ids)";
  return {"scanned",
          {"ids: 0..49999, rows of 'words' (Gather)"},
          {"sequence_length"},
          model_of(signature, body, {{"words", {vocabulary, width}}})};
}

ExportedModel recurrent() {
  const std::string signature =
      "(float[sequence_length,batch,4] x, int32[batch] lengths) => (float[sequence_length,1,batch,8] y)";
  const std::string body = "y = GRU <hidden_size = 8> (x, w, r, , lengths)";
  return {"recurrent",
          {"lengths: 1..5, a length of 'x' (GRU)"},
          {"sequence_length", "batch"},
          model_of(signature, body, {{"w", {1, 24, 4}}, {"r", {1, 24, 8}}})};
}

ExportedModel steered() {
  const std::string signature =
      "(float[6,8] x, int64[1] k, int64[2] shape, int64[2] starts, int64[2] ends, int64[2] repeats, int64[4] pads, "
      "int64[1] axes, int64[1] depth) => (float[6,n] best, float[a,b] shaped, float[c,d] cut, float[e,f] tiled, "
      "float[g,h] padded, float[i,j] reduced, float[6,l] hot) <float[2] ends_of_hot = {-1, 1}, int64 no = {1}, "
      "int64[6] "
      "rows = {0, 1, 0, 1, 0, 1}>";
  const std::string body =
      "best, where = TopK(x, k) shaped = Reshape(x, shape) cut = Slice(x, starts, ends) tiled = Tile(x, repeats) "
      "padded "
      "= Pad(x, pads) reduced = ReduceSum(x, axes) few = Add(depth, two) hot0 = OneHot(rows, few, ends_of_hot) r = "
      "ReduceMean <axes = [1]> (x) hot = Mul(hot0, r)";
  auto made = model_of(signature, body, {});
  *made.mutable_graph()->add_initializer() = to_proto(Tensor::of<std::int64_t>({1}, {2}), "two");
  return {"steered", {"k: 1..8, a length of 'x' (TopK)", "axes: 0..1, axes (ReduceSum)", "pads: 0..2"}, {}, made};
}

/// Two regression trees of a pipeline, as skl2onnx writes it: columns that are put together and scaled.
ExportedModel trees() {
  const std::string signature =
      "(float[batch,1] age, int64[batch,1] rooms, double[batch,2] place) => (float[batch,1] price)";
  const std::string body =
      "r = Cast <to = 1> (rooms) p = Cast <to = 1> (place) rows = Concat <axis = 1> (age, r, p) "
      "scaled = ai.onnx.ml.Scaler <offset = [40.0, 3.0, 0.0, 500.0], scale = [0.1, 1.0, 1.0, 0.01]> (rows) "
      "price = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_treeids = [0, 0, 0, 0, 0, 1, 1, 1], "
      "nodes_nodeids = [0, 1, 2, 3, 4, 0, 1, 2], nodes_featureids = [0, 0, 1, 0, 0, 3, 0, 0], "
      "nodes_values = [-0.25, 0.0, 0.5, 0.0, 0.0, 1.25, 0.0, 0.0], "
      "nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"BRANCH_LEQ\", \"LEAF\", \"LEAF\", \"BRANCH_LEQ\", \"LEAF\", "
      "\"LEAF\"], nodes_truenodeids = [1, 0, 3, 0, 0, 1, 0, 0], nodes_falsenodeids = [2, 0, 4, 0, 0, 2, 0, 0], "
      "target_treeids = [0, 0, 0, 1, 1], target_nodeids = [1, 3, 4, 1, 2], target_ids = [0, 0, 0, 0, 0], "
      "target_weights = [1.0, 2.0, 4.0, 0.5, -0.5]> (scaled)";
  return {"trees",
          {"age: below, at and above 1 threshold", "rooms: below, at and above 1 threshold",
           "place: below, at and above 1 threshold"},
          {"batch"},
          model_of(signature, body, {}, "\"\" : 17, \"ai.onnx.ml\" : 3")};
}

ExportedModel speech() {
  const std::string signature = "(float[batch,samples] audio) => (float[batch,4,frames] y) <int64[1] channel = {1}>";
  const std::string body = "x = Unsqueeze(audio, channel) c = Conv <strides = [10]> (x, w) y = Tanh(c)";
  return {"speech", {}, {"batch", "samples"}, model_of(signature, body, {{"w", {4, 1, 32}, 1}})};
}

/// Ids that pass through casts, a slice and a function's body on their way to the table, which is stored quantized.
ExportedModel hidden_table() {
  const std::string signature =
      "(int32[batch,4] features) => (float[batch,8] y) <float scale = {0.02}, int64[1] from = {1}, int64[1] to = {3}, "
      "int64[1] along = {1}>";
  const std::string body =
      "part = Slice(features, from, to, along) wide = Cast <to = 7> (part) table = DequantizeLinear(rows8, scale) row "
      "= "
      "Gather(table, wide) f = Flatten(row) m = MatMul(f, w) y = Tanh(m)";
  return {"hidden_table",
          {"features: 0..2999, rows of 'rows8' (Gather)"},
          {"batch"},
          model_of(signature, body, {{"rows8", {3000, 4}, 40, DType::i8}, {"w", {8, 8}}})};
}

/// A text to speech model's: ids with their lengths, which are compared with positions, and scales.
ExportedModel lengths() {
  const std::string signature =
      "(int64[batch_size,phonemes] input, int64[batch_size] input_lengths, float[3] scales) => (float[batch_size,16] "
      "y) "
      "<int64 zero = {0}, int64 step = {1}, int64 along = {1}, int64[1] column = {1}, int64[1] last = {-1}, int64 "
      "first = "
      "{0}>";
  const std::string body =
      "h = Gather(phoneme_table, input) shape = Shape(input) n = Gather(shape, along) places = Range(zero, n, step) l "
      "= "
      "Unsqueeze(input_lengths, column) inside = Less(places, l) f = Cast <to = 1> (inside) m = Unsqueeze(f, last) k = "
      "Mul(h, m) s = ReduceSum(k, column) s1 = Squeeze(s, column) scale = Gather(scales, first) y = Mul(s1, scale)";
  return {"lengths",
          {"input: 0..255, rows of 'phoneme_table' (Gather)", "input_lengths: 1..5, a length, by its name"},
          {"batch_size", "phonemes"},
          model_of(signature, body, {{"phoneme_table", {256, width}}})};
}

/// Types below 32 bits, a scalar, and a tensor without elements.
ExportedModel small_types() {
  const std::string signature =
      "(float16[batch,4] half, bfloat16[batch,4] brain, int4[batch,4] nibble, float factor, float[0,4] none, "
      "uint16[batch,4] counts) => (float[rows,4] y) <float scale = {0.5}>";
  const std::string body =
      "a = Cast <to = 1> (half) b = Cast <to = 1> (brain) c = DequantizeLinear(nibble, scale) d = Cast <to = 1> "
      "(counts) "
      "e = Add(a, b) f = Add(c, d) g = Add(e, f) h = Mul(g, factor) y = Concat <axis = 0> (none, h)";
  return {"small_types", {"nibble: -8..7, quantized"}, {"batch"}, model_of(signature, body, {}, "\"\" : 21")};
}

using Make = std::function<ExportedModel()>;

const std::map<std::string, Make>& all() {
  static const std::map<std::string, Make> models{{"bert", bert},
                                                  {"gpt_with_cache", gpt_with_cache},
                                                  {"gpt_with_total_length", gpt_with_total_length},
                                                  {"cross_attention", cross_attention},
                                                  {"qdq", qdq},
                                                  {"dynamically_quantized", dynamically_quantized},
                                                  {"quantized_inputs", quantized_inputs},
                                                  {"suppression", suppression},
                                                  {"strings", strings},
                                                  {"branches", branches},
                                                  {"rounds", rounds},
                                                  {"scanned", scanned},
                                                  {"recurrent", recurrent},
                                                  {"steered", steered},
                                                  {"speech", speech},
                                                  {"trees", trees},
                                                  {"hidden_table", hidden_table},
                                                  {"lengths", lengths},
                                                  {"small_types", small_types}};
  return models;
}

}  // namespace

std::vector<std::string> names_of_exported_models() {
  std::vector<std::string> names;
  for (const auto& [name, make] : all()) names.push_back(name);
  return names;
}

ExportedModel exported_model(const std::string& name) { return all().at(name)(); }

}  // namespace culprit::testing
