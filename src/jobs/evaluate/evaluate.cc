// First one sample runs through the first model: that tells what its outputs look like, which task reads them, and how
// many samples make a chunk. Then all samples run through all models (stream/run_stream.h).
#include "evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/folder.h"
#include "base/text.h"
#include "data/sets/picture_source.h"
#include "evaluate/choose_evaluated_task.h"
#include "evaluate/decided_classes.h"
#include "evaluate/draw_decisions.h"
#include "evaluate/probe_sample.h"
#include "evaluate/sample_pairs.h"
#include "evaluate/samples_of_all.h"
#include "evaluate/sure_tests.h"
#include "model/bind_models.h"
#include "model/probability_outputs.h"
#include "stream/run_stream.h"
#include "task/decision_warnings.h"
#include "tensor/steps.h"
#include "trial/reference.h"

namespace culprit {
namespace {

constexpr double seconds_of_a_chunk = 5;

Warning interrupted_after(const StreamReport& streamed) {
  const std::int64_t done = streamed.read + streamed.unreadable;
  return {"interrupted", fmt::format("interrupted after {} of {} samples: all figures are of these", done,
                                     done + streamed.not_reached)};
}

class Evaluation {
 public:
  Evaluation(const std::vector<Model>& models, const EvaluateOptions& options, const EvaluateTools& tools)
      : models_(models), options_(options), tools_(tools), rows_(options.rows) {
    for (std::size_t model = 0; model < models.size() && options.rows.empty(); ++model)
      rows_.push_back({model, {}, options.session, fmt::format("M{}", model + 1)});
    classes_ = DecidedClasses(rows_.size());
  }

  Result<EvaluationReport> run() {
    if (auto ok = describe(); !ok) return tl::unexpected(ok.error());
    if (auto ok = open(!options_.comparator.empty(), TruthPictures::none); !ok) return tl::unexpected(ok.error());
    if (auto ok = read_pairs(); !ok) return tl::unexpected(ok.error());
    if (auto ok = choose(); !ok) return tl::unexpected(ok.error());
    if (auto ok = open_with_outputs(); !ok) return tl::unexpected(ok.error());
    if (auto ok = expect_boxes(); !ok) return tl::unexpected(ok.error());
    const auto streamed = streamed_models();
    auto numbers = chosen_numbers();
    auto tests = SureTests::of(options_.sure_of, rows_.size(), *task_);
    if (!tests) return tl::unexpected(tests.error());
    tests_ = std::move(*tests);
    StreamOptions stream;
    stream.folder = tools_.folder / "chunks";
    if (auto ok = make_folder(stream.folder); !ok) return tl::unexpected(ok.error());
    stream.samples_per_chunk = samples_per_chunk();
    stream.places = options_.places;
    stream.each_sample = options_.limits;
    stream.seed = options_.data.data.seed + 1;
    stream.with_scores = options_.with_scores;
    stream.has_pairs = !settings_.pairs.empty();
    const auto total = static_cast<std::int64_t>(numbers.size());
    if (tests_.is_asked())
      stream.is_enough = [this](std::size_t row, bool is_changed) { return tests_.add(row, is_changed); };
    if (tools_.progress) stream.progress = [&](std::int64_t done) { tools_.progress(done, total); };
    if (tools_.told || task_->traits().gives_one_label)
      stream.told = [this](const ToldSample& sample) { return take(sample); };
    auto report = run_stream(tools_.dispatcher, *source_, std::move(numbers), streamed, *task_, stream);
    if (!report) return tl::unexpected(report.error());
    if (report->is_interrupted) return take(std::move(*report));
    const auto drawn = draw(*report, chosen_numbers(), streamed);
    auto taken = take(std::move(*report));
    if (!taken || drawn) return taken;
    taken->is_drawn = false;  // what was evaluated stands, whatever became of the pictures
    taken->warnings.push_back(not_drawn(drawn.error()));
    return taken;
  }

 private:
  /// The source of all models, and a sample that the first one takes.
  Result<void> open(bool with_outputs, TruthPictures label_folder) {
    DataSetOptions data = options_.data;
    data.classes = settings_.class_names;
    data.expected_outputs = with_outputs;
    data.label_folder = label_folder;
    auto opened = open_samples_of_all(fed_models(), data, tools_.folder);
    if (!opened) return tl::unexpected(opened.error());
    samples_ = std::move(*opened);
    if (settings_.class_names.empty()) settings_.class_names = samples_.classes;
    if (const auto* pictures = samples_.pictures.front()) settings_ = with_frame_of(*pictures, std::move(settings_));
    return try_ways(std::move(samples_.ways));
  }

  /// What folders of samples say of the outputs is what is right, for tasks that can hold it against theirs.
  Result<void> open_with_outputs() {
    std::error_code ignored;
    if (std::filesystem::is_directory(options_.data.labels, ignored)) return open_with_folder();
    const bool is_of_use = task_->reads_values() && options_.comparator.empty() && !options_.data.data.data.empty() &&
                           source_->facts().source == DataSource::test_data_set;
    return is_of_use ? open(true, TruthPictures::none) : Result<void>();
  }

  /// So is what a folder of picture files says.
  Result<void> open_with_folder() {
    const auto kind = pictures_right_for(*task_, options_.data.labels);
    return kind ? open(false, *kind) : tl::unexpected(kind.error());
  }

  Result<void> read_pairs() {
    if (options_.pairs.empty()) return {};
    auto pairs = read_sample_pairs(options_.pairs, *source_, options_.data.data.data);
    if (!pairs) return tl::unexpected(pairs.error());
    settings_.pairs = std::move(*pairs);
    return {};
  }

  /// Each is called as the first row that is made of it.
  [[nodiscard]] std::vector<FedModel> fed_models() const {
    std::vector<FedModel> fed;
    for (std::size_t model = 0; model < models_.size(); ++model) {
      const auto row = std::ranges::find(rows_, model, &EvaluatedRow::model);
      fed.push_back({models_[model], row == rows_.end() ? "" : row->name});
    }
    return fed;
  }

  /// What the file beside the first model says counts where nobody said otherwise.
  Result<void> describe() {
    auto described = describe_task(models_.front());
    if (!described) return tl::unexpected(described.error());
    described_ = std::move(*described);
    settings_ = with_description(options_.settings, described_);
    return {};
  }

  /// Made-up samples: the first way of making them that the first model takes.
  Result<void> try_ways(std::vector<SourcePtr> ways) {
    Result<void> first;
    for (std::size_t way = 0; way < ways.size(); ++way) {
      source_ = std::move(ways[way]);
      auto probed = probe();
      if (probed || probed.error().kind != ErrorKind::bad_input) return probed;
      if (way == 0) first = std::move(probed);
    }
    return first;
  }

  [[nodiscard]] bool is_several() const { return rows_.size() > 1; }

  [[nodiscard]] const Model& model_of(std::size_t row) const { return models_[rows_[row].model]; }

  [[nodiscard]] Dispatcher& dispatcher_of(std::size_t row) const {
    return rows_[row].dispatcher == nullptr ? tools_.dispatcher : *rows_[row].dispatcher;
  }

  [[nodiscard]] RunJob job_of(std::size_t row, const std::vector<NamedTensor>& sample) const {
    RunJob job;
    job.model = rows_[row].file.empty() ? model_of(row).path : rows_[row].file;
    job.session = rows_[row].session;
    job.limits = options_.limits;
    job.inputs = inputs_of(samples_, rows_[row].model, fed_names(sample), model_of(row).interface);
    return job;
  }

  Result<void> probe() {
    const auto job = [this](const std::vector<NamedTensor>& sample) { return job_of(0, sample); };
    auto probed =
        probe_sample(*source_, {dispatcher_of(0), tools_.folder / "probe", options_.limits, models_.front().path, job},
                     first_reason_);
    if (!probed) return tl::unexpected(probed.error());
    probe_ = std::move(*probed);
    if (models_.front().proto != nullptr) report_.onnxruntime = probe_.onnxruntime;
    return {};
  }

  Result<void> choose() {
    const ComparatorProgram program{options_.comparator, tools_.folder / "comparator", options_.limits,
                                    tools_.dispatcher.interrupted()};
    // Its file was read before, by a process of its own.
    const Truth truth = source_->truth(probe_.number);
    settings_.probabilities = probability_outputs(models_.front());
    settings_.fed_back = fed_back_among(probe_.inputs, probe_.outputs);
    auto chosen =
        choose_evaluated_task({options_.task, program, described_.task}, settings_,
                              {probe_.number, &truth, probe_.outputs, probe_.outputs, source_->name(probe_.number)});
    if (!chosen) return tl::unexpected(chosen.error());
    task_ = std::move(chosen->task);
    report_.is_task_sure = chosen->is_sure;
    report_.task_reason = std::move(chosen->reason);
    report_.task = task_->name();
    report_.task_about = task_->about();
    return {};
  }

  [[nodiscard]] std::vector<StreamedModel> streamed_models() const {
    std::vector<StreamedModel> streamed;
    const auto first = interface_of_row(0);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      StreamedModel& one = streamed.emplace_back();
      one.unfit = samples_.unfit[rows_[row].model];
      auto outputs = outputs_of(row, first);
      if (!outputs && one.unfit.empty()) one.unfit = outputs.error().message;
      if (!one.unfit.empty()) continue;
      one.job = job_of(row, probe_.inputs);
      one.outputs = std::move(*outputs);
      one.dispatcher = rows_[row].dispatcher;
    }
    return streamed;
  }

  /// Slow models have chunks that are soon done where it cannot be sure early: what Ctrl-C meets under way is lost.
  [[nodiscard]] std::size_t samples_per_chunk() const {
    const std::size_t fit = samples_for_a_chunk(probe_.bytes * (1 + rows_.size()), tests_.is_asked());
    if (tests_.is_asked()) return fit;
    const double seconds = probe_.seconds * static_cast<double>(rows_.size()) / static_cast<double>(options_.places);
    return std::min(fit, samples_for_seconds(seconds_of_a_chunk, seconds));
  }

  [[nodiscard]] Result<Interface> interface_of_row(std::size_t row) const {
    if (rows_[row].file.empty()) return model_of(row).interface;
    auto made = load_model(rows_[row].file);
    if (!made) return tl::unexpected(made.error());
    return std::move(made->interface);
  }

  /// For each output of the first row its place in this one.
  [[nodiscard]] Result<std::vector<std::size_t>> outputs_of(std::size_t row, const Result<Interface>& first) const {
    if (row == 0 || options_.data.data.generate > 0) return std::vector<std::size_t>();  // what is written is alike
    auto other = interface_of_row(row);
    if (!first) return tl::unexpected(first.error());
    if (!other) return tl::unexpected(other.error());
    // How inputs are fed is settled: two nets may take the same pictures in two sizes.
    Interface wanted = *first;
    for (Interface* one : {&wanted, &*other}) one->inputs = one->optional_inputs = {};
    const auto binding = bind_models(wanted, *other, {}, {rows_[0].name, rows_[row].name});
    const auto others = [this](const std::string& why) {
      return fail(ErrorKind::unsupported, "it has other outputs than " + rows_[0].name + ": " + why);
    };
    if (!binding) return others(binding.error().message);
    if (binding->outputs.size() < wanted.outputs.size())
      return others("nothing stands for " + printable(join(binding->unbound, ", "), 300));
    return places_of_outputs(*binding, *other);
  }

  [[nodiscard]] Result<void> expect_boxes() const {
    if (options_.draw.empty() || (task_->traits().finds_boxes && samples_.pictures.front() != nullptr)) return {};
    return fail(ErrorKind::usage, "--draw draws boxes on images, and here is " + report_.task + " of " +
                                      (samples_.pictures.front() == nullptr ? "data that are no images" : "images"));
  }

  Result<void> draw(const StreamReport& streamed, const std::vector<std::int64_t>& numbers,
                    const std::vector<StreamedModel>& models) {
    if (options_.draw.empty()) return {};
    std::vector<DrawnModel> drawn;
    for (std::size_t model = 0; model < models.size(); ++model)
      if (streamed.models[model].unfit.empty()) drawn.push_back({models[model], samples_.pictures[rows_[model].model]});
    const DrawPlaces places{tools_.folder / "drawing", options_.draw};
    if (auto ok = make_folder(places.work); !ok) return ok;
    auto written = draw_decisions(tools_.dispatcher, *source_, drawn, *task_, worth_drawing(streamed, numbers), places);
    if (!written) return tl::unexpected(written.error());
    report_.drawn = static_cast<std::int64_t>(*written);
    report_.drawn_into = options_.draw.string();
    return {};
  }

  [[nodiscard]] std::vector<std::int64_t> chosen_numbers() const {
    if (options_.spread) return spread_numbers(source_->size(), options_.samples);
    auto numbers = options_.shuffle ? shuffled(source_->size(), options_.data.data.seed) : in_order(source_->size());
    const bool is_limited = options_.samples > 0 && options_.samples < source_->size();
    if (is_limited) numbers.resize(static_cast<std::size_t>(options_.samples));
    return numbers;
  }

  static std::vector<LeftOutSample> listed(const std::vector<SkippedSample>& samples) {
    std::vector<LeftOutSample> list;
    list.reserve(samples.size());
    for (const SkippedSample& sample : samples) list.push_back({sample.number, sample.name, sample.reason});
    return list;
  }

  Result<void> take(const ToldSample& sample) {
    if (task_->traits().gives_one_label) classes_.add(sample);
    return tools_.told ? tools_.told(sample) : Result<void>();
  }

  Result<EvaluationReport> take(StreamReport streamed) {
    report_.data = source_->description();
    report_.warnings = source_->warnings(chosen_numbers());
    std::ranges::copy(samples_.about, std::back_inserter(report_.data));
    if (models_.size() > 1 && !samples_.bound.empty())
      report_.data.emplace_back("all models get what the first one gets");
    report_.has_labels = source_->has_truth();
    report_.samples = streamed.read;
    report_.not_reached = streamed.not_reached;
    report_.is_interrupted = streamed.is_interrupted;
    if (streamed.is_interrupted) report_.warnings.push_back(interrupted_after(streamed));
    report_.unreadable = streamed.unreadable;
    report_.skipped = listed(streamed.skipped);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      StreamedResult& result = streamed.models[row];
      EvaluatedModel evaluated{
          model_of(row).facts, std::move(result.unfit), std::move(result.decisions), {},
          result.ran,          result.failures,         listed(result.failed),       result.seconds};
      // Labels are held against the classes of the first row's model, and the others have as many.
      auto warnings = row == 0 ? label_warnings(evaluated.decisions)
                               : decision_warnings(evaluated.decisions, rows_[0].name, rows_[row].name);
      std::ranges::move(warnings, std::back_inserter(report_.warnings));
      if (!is_several())
        std::ranges::move(own_warnings(evaluated.decisions, rows_[row].name), std::back_inserter(report_.warnings));
      if (!evaluated.unfit.empty()) evaluated.failed.clear();  // one reason, told once
      evaluated.sure = tests_.of_row(row);
      classes_.move_to(evaluated, row);
      for (const WorstDecision& worst : evaluated.decisions.worst)
        evaluated.worst.push_back({worst, source_->name(worst.sample)});
      report_.models.push_back(std::move(evaluated));
    }
    return std::move(report_);
  }

  const std::vector<Model>& models_;
  const EvaluateOptions& options_;
  const EvaluateTools& tools_;
  std::vector<EvaluatedRow> rows_;
  SourcePtr source_;
  SamplesOfAll samples_;  // without its ways
  TaskDescription described_;
  TaskSettings settings_;
  ProbedSample probe_;
  std::string first_reason_;  // why the first unreadable sample is
  std::unique_ptr<DecisionTask> task_;
  SureTests tests_;
  DecidedClasses classes_;
  EvaluationReport report_;
};

}  // namespace

Result<EvaluationReport> evaluate(const std::vector<Model>& models, const EvaluateOptions& options,
                                  const EvaluateTools& tools) {
  if (models.empty()) return fail(ErrorKind::usage, "no model was given");
  return Evaluation(models, options, tools).run();
}

}  // namespace culprit
