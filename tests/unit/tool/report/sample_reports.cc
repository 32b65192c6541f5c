#include "sample_reports.h"

#include <limits>

namespace culprit::testing {
namespace {

const std::string a_hash(64, 'a');
const std::string a_fingerprint(32, '7');

ModelReport read_report(const std::string& path) {
  ModelReport report;
  report.model = {
      path, a_hash, 26'454, 12, 8, 3, {{"", 8}}, {"Input3: float32[1,1,28,28]"}, {"Plus214_Output_0: float32[1,10]"}};
  report.data = {DataSource::synthesized,
                 3,
                 0,
                 {},
                 {},
                 {"ids: 0..9, rows of 'table' (Gather)", "mask: ones, then a shorter prefix; by its name"}};
  report.seconds = 1.42;
  return report;
}

VariantRecord variant(const std::string& id, const std::vector<std::string>& passes, Verdict verdict) {
  VariantRecord v;
  v.id = id;
  v.recipe.passes = passes;
  v.verdict = verdict;
  v.nodes_before = v.nodes = 12;
  v.seconds_optimize = 0.004;
  if (verdict == Verdict::unchanged)
    v.same_as = SameAs::round_trip;
  else
    v.fingerprint = a_fingerprint;
  return v;
}

Measurement measured(double max_abs, std::int64_t mismatched, std::int64_t beyond) {
  Measurement m;
  m.max_abs = max_abs;
  m.max_rel = max_abs * 4;
  m.max_ulp = mismatched > 0 ? 12 : 0;
  m.mismatched = mismatched;
  m.beyond_floor = mismatched;
  m.beyond = {{{0.5, 0.25}}, 0.125};
  m.beyond_tolerance = beyond;
  m.floor = 4.2e-8;
  m.elements = 30;
  m.atol = 1e-4;
  m.rtol = 1e-3;
  return m;
}

VariantRecord fused(const std::string& id, const std::string& pass, double max_abs) {
  VariantRecord v = variant(id, {pass}, max_abs == 0 ? Verdict::equivalent : Verdict::deviates);
  v.runtime = "1.31.1";
  v.nodes = 10;
  v.ops_changed = {{"Add", -2}};
  v.measurements["Plus214_Output_0"] = measured(max_abs, max_abs == 0 ? 0 : 7, 0);
  v.seconds_run = 0.016;
  return v;
}

VariantRecord failed(const std::string& id, const std::string& pass, Verdict verdict, const std::string& message) {
  VariantRecord v = variant(id, {pass}, verdict);
  v.message = message;
  v.confirmed = "2/2";
  v.runtime = "1.31.1";
  return v;
}

FaultRecord fault(const std::string& id, const VariantRecord& v, const std::string& message) {
  FaultRecord f;
  f.id = id;
  f.verdict = v.verdict;
  f.culprits = v.recipe.passes;
  f.signature = std::string(name_of(v.verdict)) + "|" + v.recipe.passes[0] + "|BatchNormalization,Conv -> Conv";
  f.variants = {v.id};
  f.message = message;
  f.workaround = "leave " + v.recipe.passes[0] + " out";
  return f;
}

RewriteRecord rewrite(const std::string& pass, const std::string& output, std::int64_t number, std::int64_t of,
                      const std::vector<std::string>& diff) {
  RewriteRecord r;
  r.pass = pass;
  r.output = output;
  r.op_type = output.empty() ? "" : "BatchNormalization";
  r.number = number;
  r.of = of;
  r.confirmed = "2/2";
  r.diff = diff;
  return r;
}

}  // namespace

ModelReport ok_report() {
  ModelReport report = read_report("models/mnist-7.onnx");
  report.controls = {{ControlName::repeat, Verdict::equivalent, "", {}},
                     {ControlName::round_trip, Verdict::unchanged, "", {}}};
  report.warnings = {{"constants_became_inputs",
                      "the round trip leaves 8 initializers among the inputs (Parameter6, Parameter87, ...), so a "
                      "runtime may no longer fold them"}};
  for (const char* id : {"V01", "V02", "V03"})
    report.variants.push_back(variant(id, {"eliminate_identity"}, Verdict::unchanged));
  report.variants.push_back(fused("V04", "fuse_add_bias_into_conv", 3.1e-7));
  report.variants.push_back(fused("V05", "eliminate_duplicate_initializer", 0));
  VariantRecord bundle = fused("V06", "", 3.1e-7);
  bundle.is_bundle = true;
  bundle.recipe.passes.assign(39, "nop");
  bundle.same_as = SameAs::variant, bundle.same_variant = "V04";
  report.variants.push_back(bundle);
  return report;
}

ModelReport faulty_report() {
  ModelReport report = read_report("models/my net.onnx");
  report.data = {DataSource::test_data_set, 1, 0, {{"batch", 7}}, {{"batch", 11}}, {}};
  VariantRecord off = failed("V02", "fuse_bn_into_conv", Verdict::diverged, "output 'y' is off by 0.31");
  off.measurements["y"] = measured(0.31, 30, 28);
  off.file = "variants/my net/V02-fuse_bn_into_conv.onnx";
  off.nodes = 11;
  VariantRecord shape = failed("V03", "eliminate_shape_gather", Verdict::diverged, "output 'z' has another shape");
  shape.measurements["y"] = measured(0, 0, 0);
  shape.measurements["z"] = measured(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  shape.measurements["z"].note = "shape [1,2] became [2]";
  shape.measurements["z"].form = FormChange::shape;
  report.variants = {variant("V01", {"nop"}, Verdict::unchanged), off, shape};
  report.variants[1].evidence = {EvidenceStage::run, EvidenceEnding::threw};
  report.variants[1].inner["hidden"] = measured(0.2, 3, 3);
  report.variants[1].deployed = {"all",
                                 1,
                                 Verdict::diverged,
                                 "output 'y' is off by 0.31",
                                 "2/2",
                                 {{"y", measured(0.31, 30, 28)}},
                                 {EvidenceStage::load, EvidenceEnding::threw}};
  report.baseline.weak = {{"z", "2.5 in all elements of all samples"}};
  report.noise_floor["y"] = {4.2e-8, 2.1e-8, 1e-8, 2, 1.2e-9, 0, 2, 1, 3, 1, 0};
  report.safe_recipe = {{"onnx_optimizer", {"nop"}, Repeat::once},
                        {{"fuse_bn_into_conv", "output 'y' is off"}},
                        true,
                        1,
                        {"off", "all"},
                        "one more thing"};
  report.faults = {fault("F1", off, "output 'y' is off by 0.31 where 1.0e-04 is allowed (28 of 30 elements)"),
                   fault("F2", shape, "output 'z' has the shape [2] where the reference has [1,2]")};
  report.faults[0].rewrites = {
      rewrite("fuse_bn_into_conv", "17", 3, 7, {"- 16 = Conv(11, W) {kernel_shape: [3, 3]}", "+ 17 = Conv(11, _v_20)"}),
      rewrite("fuse_bn_into_conv", "40", 5, 6, {"  40 = BatchNormalization(39, s, b, m, v)", "- 41 = Relu(40)"})};
  report.faults[0].rewrites[0].diff_left_out = 1;
  report.faults[0].rewrites_asked = 17;
  report.faults[0].rewrites_seconds = 1.25;
  RewriteRecord merged = rewrite("eliminate_shape_gather", "", 1, 1, {"- y = Sub(a, b)", "+ y = Sub(a, a)"});
  merged.pieces = 9;
  merged.bad_pieces = {{"'b' is replaced by 'a'", "y", "2/2", {"- y = Sub(a, b)", "+ y = Sub(a, a)"}, 2}};
  merged.pieces_message = "there may be more: the time of --budget is spent";
  report.faults[1].rewrites = {merged};
  report.faults[1].rewrites_message = "the failure flickers: this is likely, not certain";
  report.faults[0].repro = "repro/F1";
  report.faults[0].reduced = ReductionRecord{57, 2, 131, 4.5, "the best when the time was up"};
  report.faults[0].reduced_fingerprint = a_fingerprint;
  report.faults[0].known = KnownAs{"K-3", "issue 12"};
  report.phases = {{Phase::reference, 1.5, 0.25, {0.5, 0.25, 0}, {1, 2, 3, 4}},
                   {Phase::reducing, 12, 1, {1, 2, 3}, {71, 140, 200, 1}}};
  report.witnesses = WitnessesRecord{{{"onnxruntime", "1.22.1", "differs", 0.5, false, "output 'y' differs by 0.5"}},
                                     NodeRef{"c", "Cast", 3, "7"},
                                     true};
  report.faults[0].attribution_evidence = {
      {"original", "onnxruntime", "1.31.1", "off", "agrees", 0, ""},
      {"variant", "onnxruntime", "1.31.1", "off", "differs", 0.31, "off by 0.31"},
      {"original", "onnxruntime", "1.31.1", "all", "agrees", 0, ""},
      {"variant", "onnxruntime", "1.31.1", "all", "differs", 0.31, "off by 0.31"},
      {"original", "onnxruntime", "1.22.1", "off", "agrees", 0, ""},
      {"variant", "onnxruntime", "1.22.1", "off", "differs", 0.31, "off"},
      {"original", "onnx.reference", "1.19.0", "", "agrees", 0, "", "float64"},
      {"variant", "onnx.reference", "1.19.0", "", "differs", 0.31, "off", "float64"},
      {"original", "onnx.reference", "1.19.0", "", "agrees", 0, ""},
      {"variant", "onnx.reference", "1.19.0", "", "fails", 0, "out of memory"}};
  DivergenceRecord first;
  first.original = first.variant = "17";
  first.nodes_original = {{"bn1", "BatchNormalization", 4, "17"}, {"", "Conv", 3, "16"}};
  first.nodes_variant = {{"", "Conv", 3, "17"}};
  first.error = 0.62;
  first.floor = 2e-6;
  first.state = "made_here";
  first.coverage = 97.5;
  first.runs = 11;
  first.message =
      "first mismatch at '17', made by BatchNormalization 'bn1' after Conv of '16' in the original, by Conv of "
      "'17' in the variant; given the original's values there, max abs error 0.62, expected rounding error 2e-06";
  report.faults[0].first_divergence = first;
  report.faults[1].first_divergence_message = "not looked for: the time was up";
  return report;
}

ModelReport given_report() {
  ModelReport report = read_report("net.onnx");
  VariantRecord off = failed("V01", "", Verdict::diverged, "output 'y' is off by 0.31");
  off.recipe = {"given", {}, Repeat::once};
  off.measurements["y"] = measured(0.31, 30, 28);
  report.variants = {off};
  FaultRecord shown =
      fault("F1", failed("V01", "broken.onnx", Verdict::diverged, ""), "broken.onnx: 'y' is off by 0.31");
  shown.kind = FaultKind::given;
  shown.workaround.clear();
  shown.first_divergence = faulty_report().faults[0].first_divergence;
  report.faults = {shown};
  GivenRecord given;
  given.model = read_report("models/broken.onnx").model;
  given.fingerprint = a_fingerprint;
  given.tried = 51;
  given.diff = {"  17 = Conv(11, W)", "~ W: float32[8,3,3,3], other values"};
  given.diff_left_out = 3;
  report.given = given;
  return report;
}

ModelReport recognised_report() {
  ModelReport report = ok_report();
  report.given = given_report().given;
  report.given->diff.clear();
  report.given->made_by = Recipe{"onnx_optimizer", {"fuse_bn_into_conv"}, Repeat::once};
  return report;
}

ModelReport crashed_report() {
  ModelReport report = read_report("crash.onnx");
  VariantRecord crash = failed("V01", "adjust_slice_and_matmul", Verdict::optimizer_crashed, "killed by SIGABRT");
  crash.fingerprint.clear();
  crash.nodes = 0;
  crash.runtime.clear();
  crash.last_words =
      "one\ntwo\nthree\n\nfour\nterminate called after throwing an instance of 'onnx::assert_error'\n  what():  "
      "axes.h:12: \x1b[31mhas no such attribute\n";
  report.variants = {crash};
  report.faults = {fault("F1", crash, "the optimizer was killed by SIGABRT")};
  return report;
}

ModelReport weak_report() {
  ModelReport report = read_report("light-resnet50-9.onnx");
  report.baseline = {BaselineStatus::weak_data, "off",
                     "every output is constant over all samples; give real data with --data DIR or --input NAME=FILE"};
  report.variants = {fused("V01", "fuse_bn_into_conv", 0)};
  return report;
}

ModelReport rejected_report() {
  ModelReport report =
      read_report("/home/somebody/with/a/really/long/path/that/goes/on/and/on/superresolution-ext-18.onnx");
  report.baseline = {
      BaselineStatus::does_not_load, "off",
      "ONNX Runtime 1.31.1: com.microsoft.extensions:\x1b[2JImageDecoder(-1) is not a registered function. "
      "Give the library with these operators: --custom-ops "
      "/opt/a/path/without/any/space/which/is/longer/than/one/line/of/the/terminal/libortextensions.so"};
  report.data = {};
  return report;
}

ModelReport warning_report() {
  ModelReport report = ok_report();
  for (const char* code : {"metadata_lost", "larger_file", "ir_raised", "opset_raised", "quantization_annotation_lost"})
    report.warnings.push_back({code, "something that is worth knowing"});
  for (std::size_t i = 3; i < 6; ++i)
    report.variants[i].warnings = {{"unused_initializer", "2 initializers are left unused (a, b)"}};
  report.controls[0] = {ControlName::repeat, Verdict::diverged, "the reference ran twice with different results", {}};
  return report;
}

ModelReport unreadable_report() {
  ModelReport report;
  report.model.path = "broken.onnx";
  report.baseline = {BaselineStatus::does_not_load, "off", "the model cannot be read"};
  report.error = "broken.onnx is not an ONNX model: it begins with \"PK\". It is a zip archive; unpack it first";
  return report;
}

Report full_report() {
  Report report;
  report.tool_version = "0.1.0";
  report.command = {"culprit", "check", "models/mnist-7.onnx"};
  report.environment = {"0.4.2", "1.19.1", "1.31.1", "CPU", "a cpu", "an os", 1, 2};
  report.models = {ok_report(),      faulty_report(),     crashed_report(), weak_report(),      rejected_report(),
                   warning_report(), unreadable_report(), given_report(),   recognised_report()};
  report.summary = {9,
                    28,
                    11,
                    3,
                    {{Verdict::unchanged, 7},
                     {Verdict::equivalent, 8},
                     {Verdict::diverged, 2},
                     {Verdict::optimizer_crashed, 1},
                     {Verdict::deviates, 3}},
                    {6, 30, 70, 25},
                    12.5};
  return report;
}

}  // namespace culprit::testing
