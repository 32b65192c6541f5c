#include "evaluate/samples_of_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "compare/bind_models.h"
#include "data/synthesize.h"
#include "evaluate/several_sources.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

using Ways = std::vector<std::vector<SourcePtr>>;  // of each model

Result<void> expect_same_samples(const Ways& ways, const std::vector<Model>& models, const fs::path& data) {
  const std::int64_t first = ways.front().front()->size();
  for (std::size_t model = 1; model < ways.size(); ++model) {
    const std::int64_t size = ways[model].front()->size();
    if (size == first) continue;
    return fail(ErrorKind::unsupported,
                fmt::format("{} has {} samples for {}, and {} for {}", printable(data.string()), first,
                            printable(models.front().path.string()), size, printable(models[model].path.string())));
  }
  return {};
}

/// Each model reads what --data names.
Result<SamplesOfAll> read_by_each(const std::vector<Model>& models, DataSetOptions options, const fs::path& work) {
  Ways ways;
  for (std::size_t model = 0; model < models.size(); ++model) {
    options.work = work / ("data-" + std::to_string(model));
    if (auto ok = make_folder(options.work); !ok) return tl::unexpected(ok.error());
    auto opened = open_data_set(models[model], options);
    if (!opened) return tl::unexpected(opened.error());
    ways.push_back(std::move(*opened));
  }
  if (auto ok = expect_same_samples(ways, models, options.data.data); !ok) return tl::unexpected(ok.error());
  SamplesOfAll all;
  for (const auto& of_model : ways) all.pictures.push_back(dynamic_cast<const PictureSource*>(of_model.front().get()));
  const std::size_t count = std::ranges::min_element(ways, {}, &std::vector<SourcePtr>::size)->size();
  for (std::size_t way = 0; way < count; ++way) {
    std::vector<SourcePtr> sources;
    sources.reserve(ways.size());
    for (auto& of_model : ways) sources.push_back(std::move(of_model[way]));
    all.ways.push_back(several_sources(std::move(sources)));
  }
  return all;
}

/// All get what the first would be fed alone, in sizes that fit all of them.
Result<SamplesOfAll> shared_by_all(const std::vector<Model>& models, DataSetOptions options, const fs::path& work) {
  const Interface& first = models.front().interface;
  SamplesOfAll all;
  all.bound.resize(1);
  for (std::size_t model = 1; model < models.size(); ++model) {
    auto binding = bind_models(first, models[model].interface, {});
    if (!binding)
      return fail(binding.error().kind, printable(models[model].path.string()) + " cannot be fed with the samples of " +
                                            printable(models.front().path.string()) + ": " + binding.error().message);
    for (const FixedSize& fixed : sizes_fixed_by(first, models[model].interface, *binding))
      options.data.dims.try_emplace(dim_key(fixed.input, fixed.axis), fixed.size);
    all.bound.push_back(std::move(binding->inputs));
  }
  options.work = work / "data-0";
  if (auto ok = make_folder(options.work); !ok) return tl::unexpected(ok.error());
  auto opened = open_data_set(models.front(), options);
  if (!opened) return tl::unexpected(opened.error());
  all.ways = std::move(*opened);
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

Result<SamplesOfAll> open_samples_of_all(const std::vector<Model>& models, const DataSetOptions& options,
                                         const fs::path& work) {
  if (models.size() > 1 && !options.data.data.empty()) return read_by_each(models, options, work);
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
  const std::string prefix = input_of_model(model, "");
  for (const std::string& name : fed)
    if (name.starts_with(prefix)) inputs.push_back({name, name.substr(prefix.size())});
  return inputs;
}

}  // namespace culprit
