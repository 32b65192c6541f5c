#include "data/data_set.h"

#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "data/given_inputs.h"
#include "data/sample_folders.h"
#include "data/sets/array_rows.h"
#include "data/sets/chosen_preprocessing.h"
#include "data/sets/expected_outputs.h"
#include "data/sets/good_samples.h"
#include "data/sets/labelled_files.h"
#include "data/sets/picture_source.h"
#include "data/sets/sample_sets.h"
#include "data/sets/sound_source.h"
#include "data/sets/text_set.h"
#include "data/sets/token_source.h"
#include "texts/prepared_texts.h"
#include "texts/text_files.h"

namespace culprit {
namespace {

Result<std::vector<SourcePtr>> only(Result<SourcePtr> source) {
  if (!source) return tl::unexpected(source.error());
  std::vector<SourcePtr> sources;
  sources.push_back(std::move(*source));
  return sources;
}

Result<PictureSetOptions> picture_options(const Model& model, const DataSetOptions& options) {
  auto given = read_given(model.interface, options.data);
  if (!given) return tl::unexpected(given.error());
  return PictureSetOptions{options.data.data,        options.labels,  options.data.preprocess,
                           std::move(given->inputs), options.classes, options.label_folder};
}

Result<SourcePtr> pictures(const Model& model, const DataSetOptions& options) {
  const auto set = picture_options(model, options);
  if (!set) return tl::unexpected(set.error());
  auto opened = open_pictures(model, *set);
  if (!opened) return tl::unexpected(opened.error());
  return SourcePtr(std::move(*opened));
}

Result<SourcePtr> sets(const Model& model, const DataSetOptions& options) {
  auto given = read_given(model.interface, options.data);
  if (!given) return tl::unexpected(given.error());
  auto paths = find_samples(options.data.data);
  if (!paths) return tl::unexpected(paths.error());
  const auto folders = options.expected_outputs && !paths->are_archives ? paths->paths : std::vector<fs::path>();
  auto found =
      sample_sets(std::move(*paths), model.interface, std::move(given->inputs), printable(options.data.data.string()));
  if (folders.empty()) return found;
  return with_expected_outputs(std::move(found), folders, model.interface);
}

/// What is said of texts comes too late.
Result<ModelTexts> prepared_before(const DataSetOptions& options) {
  const char* flag = !options.labels.empty() ? "--labels" : options.data.preprocess.empty() ? "" : "--preprocess";
  if (*flag == 0) return ModelTexts{options.data.data, ""};
  return fail(ErrorKind::usage, std::string(flag) + ": the texts were prepared before, and their file says it all",
              "culprit data prepare makes another one");
}

Result<SourcePtr> tokens(const Model& model, const DataSetOptions& options) {
  auto given = read_given(model.interface, options.data);
  if (!given) return tl::unexpected(given.error());
  const auto texts = are_plain_texts(options.data.data) ? texts_for(model, options) : prepared_before(options);
  if (!texts) return tl::unexpected(texts.error());
  return open_tokens(*texts, model, {std::move(given->inputs), options.data.generate, options.classes});
}

Result<SourcePtr> sounds(const Model& model, const DataSetOptions& options) {
  auto given = read_given(model.interface, options.data);
  if (!given) return tl::unexpected(given.error());
  return open_sounds(
      model, {options.data.data, options.labels, options.data.preprocess, std::move(given->inputs), options.classes});
}

/// What is no text is nothing to go on with.
Result<void> expect_texts_to_go_on(const DataSetOptions& options) {
  if (options.data.generate == 0 || may_be_texts(options.data.data)) return {};
  return fail(ErrorKind::usage, "--generate: the data are no texts that a model could go on with",
              "culprit data prepare makes a file of such texts");
}

Result<SourcePtr> array_rows(const Model& model, const DataSetOptions& options) {
  auto given = read_given(model.interface, options.data);
  if (!given) return tl::unexpected(given.error());
  return open_array_rows(options.data.data, model, {options.work, std::move(given->inputs), options.data.samples == 0});
}

Result<std::vector<SourcePtr>> proposed(const Model& model, const DataSetOptions& options) {
  auto proposals = propose(model, options.data);
  if (!proposals) return tl::unexpected(proposals.error());
  std::vector<SourcePtr> sources;
  for (Proposal& proposal : *proposals) {
    const bool has_sets = options.data.data.empty() && proposal.facts.source == DataSource::test_data_set;
    sources.push_back(source_of(std::move(proposal)));
    if (has_sets && options.expected_outputs)
      sources.back() = with_expected_outputs(std::move(sources.back()), test_data_beside(model.path), model.interface);
  }
  return sources;
}

/// Refuses options that mean something for pictures and sounds only.
Result<void> expect_no_file_options(const DataSetOptions& options) {
  if (options.data.preprocess.empty() && options.labels.empty()) return {};
  const char* flag = options.data.preprocess.empty() ? "--labels" : "--preprocess";
  const std::string what =
      options.data.data.empty() ? "there is no --data" : printable(options.data.data.string()) + " holds none";
  return fail(ErrorKind::usage, std::string(flag) + " is for images and sounds, and " + what);
}

/// What the system says of a file or a folder that cannot be read.
Result<void> expect_readable(const fs::path& data) {
  std::error_code error;
  const bool is_there = fs::exists(data, error);
  const std::string where = "--data " + printable(data.string()) + ": ";
  if (!is_there && error) return fail(ErrorKind::usage, where + "it cannot be read: " + error.message());
  if (!is_there) return fail(ErrorKind::usage, where + "there is no such file or folder");
  if (!fs::is_directory(data, error)) return {};
  const fs::directory_iterator begin(data, error);
  if (error) return fail(ErrorKind::usage, where + "the folder cannot be read: " + error.message());
  return {};
}

bool is_array_file(const fs::path& data) {
  std::error_code ignored;
  return (data.extension() == ".npz" || data.extension() == ".npy") && !fs::is_directory(data, ignored);
}

}  // namespace

Result<std::vector<SourcePtr>> open_data_set(const Model& model, const DataSetOptions& options) {
  const fs::path& data = options.data.data;
  if (!data.empty())
    if (auto ok = expect_readable(data); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_texts_to_go_on(options); !ok) return tl::unexpected(ok.error());
  if (is_picture_folder(data)) return only(pictures(model, options));
  if (is_sound_folder(data)) return only(sounds(model, options));
  if (PreparedTexts::is_one(data) || are_plain_texts(data)) return only(tokens(model, options));
  if (auto ok = expect_no_file_options(options); !ok) return tl::unexpected(ok.error());
  std::error_code ignored;
  if (!data.empty() && fs::is_directory(data, ignored)) return only(sets(model, options));
  if (!is_array_file(data)) return proposed(model, options);
  auto rows = array_rows(model, options);
  const bool is_one_sample = !rows && rows.error().kind == ErrorKind::unsupported && data.extension() == ".npz" &&
                             may_be_one_sample(data, model.interface);
  if (!is_one_sample) return only(std::move(rows));
  auto whole = proposed(model, options);  // as `check` takes an archive
  return whole ? std::move(whole) : only(std::move(rows));
}

bool says_preparation(const Model& model, const fs::path& data) {
  if (is_picture_folder(data)) return says_preprocessing(model);
  return is_sound_folder(data) ? says_sound_preparation(model) : tells_tokens(model);
}

std::vector<std::int64_t> spread_numbers(std::int64_t size, std::int64_t samples) {
  const std::int64_t count = samples > 0 ? std::min(samples, size) : size;
  std::vector<std::int64_t> numbers;
  for (std::int64_t part = 0; part < count; ++part) numbers.push_back(size * part / count);
  return numbers;
}

namespace {

Result<CheckData> pictures_for_check(const Model& model, const DataSetOptions& options) {
  const auto set = picture_options(model, options);
  if (!set) return tl::unexpected(set.error());
  auto proposal = propose_pictures(model, *set, options.data.samples);
  if (!proposal) return tl::unexpected(proposal.error());
  warn_of_few(*proposal, options.data, proposal->drawn);
  auto whole = open_pictures(model, *set);
  if (!whole) return tl::unexpected(whole.error());
  const auto size = (*whole)->size();
  return CheckData{{std::move(*proposal)}, std::move(*whole), spread_numbers(size, options.data.samples)};
}

Result<CheckData> rows_for_check(const Model& model, const DataSetOptions& options) {
  if (auto ok = expect_no_file_options(options); !ok) return tl::unexpected(ok.error());
  auto rows = array_rows(model, options);
  if (!rows) return tl::unexpected(rows.error());
  const std::shared_ptr<const SampleSource> first = std::move(*rows);
  auto again = array_rows(model, options);
  if (!again) return tl::unexpected(again.error());
  const auto size = (*again)->size();
  return CheckData{{spread_over(first, options.data.samples, printable(options.data.data.string()))},
                   std::move(*again),
                   spread_numbers(size, options.data.samples)};
}

using OpenSource = Result<SourcePtr> (*)(const Model&, const DataSetOptions&);

/// A few, spread over all, and all.
Result<CheckData> spread_for_check(const Model& model, const DataSetOptions& options, OpenSource open) {
  auto first = open(model, options);
  if (!first) return tl::unexpected(first.error());
  auto whole = open(model, options);
  if (!whole) return tl::unexpected(whole.error());
  auto few = propose_good_samples(std::move(*first), options.data.samples, printable(options.data.data.string()),
                                  SampleWords{});
  if (!few) return tl::unexpected(few.error());
  warn_of_few(*few, options.data, few->drawn);
  const auto size = (*whole)->size();
  return CheckData{{std::move(*few)}, std::move(*whole), spread_numbers(size, options.data.samples)};
}

/// Spreads the sets that are judged by their numbers, as pictures are, where there are more than these.
Result<CheckData> many_sets_for_check(const Model& model, const DataSetOptions& options, SourcePtr whole) {
  auto again = sets(model, options);
  if (!again) return tl::unexpected(again.error());
  Proposal few = spread_over(std::move(*again), options.data.samples, printable(options.data.data.string()));
  for (std::int64_t part = 0; part < few.drawn; ++part) {
    const auto sample = few.draw(part, {});
    if (!sample) return tl::unexpected(sample.error());
  }
  const auto size = whole->size();
  return CheckData{{std::move(few)}, std::move(whole), spread_numbers(size, options.data.samples)};
}

}  // namespace

Result<CheckData> open_check_data(const Model& model, const DataSetOptions& options) {
  const fs::path& data = options.data.data;
  if (!data.empty())
    if (auto ok = expect_readable(data); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_texts_to_go_on(options); !ok) return tl::unexpected(ok.error());
  if (is_picture_folder(data)) return pictures_for_check(model, options);
  if (is_sound_folder(data)) return spread_for_check(model, options, sounds);
  if (PreparedTexts::is_one(data) || are_plain_texts(data)) return spread_for_check(model, options, tokens);
  if (data.extension() == ".npy" && is_array_file(data)) return rows_for_check(model, options);
  if (!options.labels.empty()) {
    if (auto ok = expect_no_file_options(options); !ok) return tl::unexpected(ok.error());
  }
  std::error_code ignored;
  if (!data.empty() && fs::is_directory(data, ignored) && options.data.preprocess.empty()) {
    auto whole = sets(model, options);
    if (!whole) return tl::unexpected(whole.error());
    if ((*whole)->size() > samples_of_a_check) return many_sets_for_check(model, options, std::move(*whole));
  }
  auto proposals = propose(model, options.data);
  if (is_array_file(data)) {  // what fits as a whole is one sample, but not two arrays with other numbers of rows
    const auto rows = array_rows(model, options);
    if (!rows && rows.error().kind != ErrorKind::unsupported) return tl::unexpected(rows.error());
    if (!proposals && rows) return rows_for_check(model, options);
    if (!proposals) return tl::unexpected(rows.error());
  }
  if (!proposals) return tl::unexpected(proposals.error());
  CheckData opened{std::move(*proposals), nullptr, {}};
  if (data.empty()) return opened;
  opened.whole = source_of(opened.proposals.front());
  opened.numbers = spread_numbers(opened.whole->size(), 0);
  return opened;
}

}  // namespace culprit
