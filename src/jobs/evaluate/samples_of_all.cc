#include "evaluate/samples_of_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "data/sets/token_source.h"
#include "data/synthesize.h"
#include "evaluate/several_sources.h"
#include "model/bind_models.h"
#include "picture/feed_alike.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

using Ways = std::vector<SourcePtr>;

bool is_of_machine(const Error& error) {
  return error.kind == ErrorKind::io || error.kind == ErrorKind::interrupted || error.kind == ErrorKind::internal;
}

/// Each model reads what --data names.
class ReadByEach {
 public:
  ReadByEach(const std::vector<FedModel>& models, DataSetOptions options)
      : models_(models), options_(std::move(options)) {}

  Result<SamplesOfAll> open() {
    all_.unfit.resize(models_.size());
    if (auto ok = make_folder(options_.work); !ok) return tl::unexpected(ok.error());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      auto ways = model == 0 ? open_data_set(models_[0].model, options_) : open_like_first(model);
      if (!ways && (model == 0 || is_of_machine(ways.error()))) return tl::unexpected(ways.error());
      if (!ways) all_.unfit[model] = ways.error().text();
      if (model == 0) all_.classes = text_classes(*ways->front());
      take(model, ways ? std::move(*ways) : Ways());
    }
    std::size_t count = ways_.front().size();
    for (const Ways& of_model : ways_)
      if (!of_model.empty()) count = std::min(count, of_model.size());
    for (std::size_t way = 0; way < count; ++way) {
      std::vector<SourcePtr> sources;
      for (Ways& of_model : ways_) sources.push_back(of_model.empty() ? nullptr : std::move(of_model[way]));
      all_.ways.push_back(several_sources(std::move(sources)));
    }
    return std::move(all_);
  }

 private:
  /// A model of which nobody says how it is fed is fed as the first one is, be that told or guessed: a copy may have
  /// lost what a guess goes by, such as the name of an input. What does not fit it so is opened for it alone.
  Result<Ways> open_like_first(std::size_t model) {
    const Model& fed = models_[model].model;
    const std::string preparation = ways_.front().front()->preparation();
    const bool is_told = !options_.data.preprocess.empty() || says_preparation(fed, options_.data.data);
    if (is_told || preparation.empty()) return open_data_set(fed, options_);
    DataSetOptions as_first = options_;
    const fs::path file = options_.work / fmt::format("as-the-first-{}.yaml", model);
    if (auto ok = write_file_atomic(file, preparation); !ok) return tl::unexpected(ok.error());
    as_first.data.preprocess = file.string();
    auto ways = open_data_set(fed, as_first);
    if (ways || is_of_machine(ways.error())) return ways;
    auto alone = open_data_set(fed, options_);
    return alone ? std::move(alone) : std::move(ways);
  }

  void take(std::size_t model, Ways ways) {
    const SampleSource* source = ways.empty() ? nullptr : ways.front().get();
    const SampleSource* first = model == 0 ? source : ways_.front().front().get();
    if (source != nullptr && source->size() != first->size()) {
      all_.unfit[model] = fmt::format("{} has {} samples for {}, and {} for it", printable(options_.data.data.string()),
                                      first->size(), models_[0].name, source->size());
      ways.clear();
      source = nullptr;
    }
    if (const auto named = source == nullptr ? all_.classes : text_classes(*source); named != all_.classes)
      all_.about.push_back(fmt::format("{} names its classes otherwise than {}: {}; the numbers of {} count",
                                       models_[model].name, models_[0].name, printable(join(named, ", "), 200),
                                       models_[0].name));
    all_.pictures.push_back(dynamic_cast<const PictureSource*>(source));
    const PictureSource *one = all_.pictures.front(), *other = all_.pictures.back();
    if (one != nullptr && other != nullptr && !are_fed_alike(one->preprocessing(), other->preprocessing()))
      all_.about.push_back(fmt::format("{} is fed otherwise than {}: {}", models_[model].name, models_[0].name,
                                       other->description().back()));
    const bool is_same = model > 0 && source != nullptr && ways.size() == 1 && ways_.front().size() == 1 &&
                         source->gives_the_same_as(*first);
    all_.fed_as_first.push_back(is_same);
    if (is_same) {
      all_.pictures.back() = all_.pictures.front();
      ways.clear();
    }
    ways_.push_back(std::move(ways));
  }

  const std::vector<FedModel>& models_;
  const DataSetOptions options_;
  std::vector<Ways> ways_;  // of each model; none of one that cannot be fed
  SamplesOfAll all_;
};

/// All get what the first would be fed alone, in sizes that fit all of them.
Result<SamplesOfAll> shared_by_all(const std::vector<FedModel>& models, DataSetOptions options, const fs::path& work) {
  const Interface& first = models.front().model.interface;
  SamplesOfAll all;
  all.bound.resize(models.size());
  all.unfit.resize(models.size());
  for (std::size_t model = 1; model < models.size(); ++model) {
    auto binding = bind_models(first, models[model].model.interface, {}, {models[0].name, models[model].name});
    if (!binding) {
      all.unfit[model] = "it cannot be fed with the samples of " + models[0].name + ": " + binding.error().message;
      continue;
    }
    for (const FixedSize& fixed : sizes_fixed_by(first, models[model].model.interface, *binding))
      options.data.dims.try_emplace(dim_key(fixed.input, fixed.axis), fixed.size);
    all.bound[model] = std::move(binding->inputs);
  }
  options.work = work / "data-0";
  if (auto ok = make_folder(options.work); !ok) return tl::unexpected(ok.error());
  auto opened = open_data_set(models.front().model, options);
  if (!opened) return tl::unexpected(opened.error());
  all.ways = std::move(*opened);
  all.classes = text_classes(*all.ways.front());
  all.pictures.assign(models.size(), nullptr);
  return all;
}

bool takes(const Interface& interface, const std::string& name) {
  const auto has = [&](const std::vector<ValueInfo>& values) {
    return std::ranges::find(values, name, &ValueInfo::name) != values.end();
  };
  return has(interface.inputs) || has(interface.optional_inputs);
}

}  // namespace

Result<SamplesOfAll> open_samples_of_all(const std::vector<FedModel>& models, const DataSetOptions& options,
                                         const fs::path& work) {
  if (models.size() > 1 && !options.data.data.empty()) {
    DataSetOptions of_all = options;
    of_all.work = work / "data-0";
    return ReadByEach(models, std::move(of_all)).open();
  }
  auto shared = shared_by_all(models, options, work);
  if (shared) shared->pictures.front() = dynamic_cast<const PictureSource*>(shared->ways.front().get());
  return shared;
}

std::vector<BoundInput> inputs_of(const SamplesOfAll& samples, std::size_t model, const std::vector<std::string>& fed,
                                  const Interface& interface) {
  std::vector<BoundInput> inputs;
  if (!samples.bound.empty()) {
    inputs = samples.bound[model];
    for (const std::string& name : fed) {
      const bool is_bound = std::ranges::find(inputs, name, &BoundInput::original) != inputs.end();
      if (model > 0 && !is_bound && takes(interface, name)) inputs.push_back({name, name});
    }
    return inputs;
  }
  const std::string prefix = input_of_model(samples.fed_as_first[model] ? 0 : model, "");
  for (const std::string& name : fed)
    if (name.starts_with(prefix)) inputs.push_back({name, name.substr(prefix.size())});
  return inputs;
}

}  // namespace culprit
