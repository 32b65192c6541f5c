#include "cli/commands/data.h"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "cli/sample_flags.h"
#include "data/data_beside.h"
#include "evaluate/show_data.h"
#include "model/model_folder.h"
#include "picture/encode_picture.h"
#include "process/interrupt.h"
#include "report/layout.h"

namespace culprit {

void add_data(CommandParser& parser, DataFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "data",
       .heading = heading_measure,
       .about = "What is in a data set, and how is a model fed with it?",
       .examples = {"culprit data show model.onnx", "culprit data show model.onnx --data images -o sheet.png",
                    "culprit data prepare imdb/test --tokenizer tokenizer.json --max-length 256 -o imdb.jsonl",
                    "culprit data prepare hf:stanfordnlp/imdb --split test --tokenizer tokenizer.json -o imdb.jsonl",
                    "culprit data prepare texts.jsonl --tokenizer t5 --encoder t5/encoder_model.onnx -o t5.jsonl"},
       .exit_codes =
           "Exit codes: 0 done, 2 wrong usage, 3 a file cannot be read as what it should be, 4 internal error, "
           "130 interrupted."});
  command
      .word("ACTION", flags.action, "show|prepare",
            "show: tell of the first samples; prepare: make tokens of texts, once, for all models")
      .required();
  command.word("MODEL|TEXTS", flags.model, type_file,
               "show: ONNX file that is to be fed; prepare: a .csv, .tsv, .jsonl, .parquet, .arrow, SQuAD's .json, "
               "folders of .txt, a folder of save_to_disk, or hf:NAME[@REVISION]");
  command.value("--data", flags.data, "PATH");
  command.value("--labels", flags.labels, type_file);
  command.value("--preprocess", flags.preprocess, "PATH|PRESET");
  command.value("--generate", flags.generate, "N");
  command.values("--input", flags.inputs, "NAME=VALUE|FILE");
  command.value("--samples", flags.samples, "N").with_default("12");
  command.value("-o,--output", flags.output, type_file);
  command.value("--tokenizer", flags.tokenizer, type_file);
  command.value("--max-length", flags.max_length, "N");
  command.value("--stride", flags.stride, "N").with_default("0");
  command.value("--split", flags.split, "NAME");
  command.value("--config", flags.config, "NAME");
  command.value("--encoder", flags.encoder, type_file);
}

namespace {

Result<std::int64_t> tokens_of(const char* flag, const std::string& value, std::int64_t least) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  return value.empty() ? Result<std::int64_t>(0) : whole_number(flag, value, least, most);
}

/// Flags that belong to the other action.
Result<void> expect_unset(const char* action, std::initializer_list<std::pair<const char*, bool>> flags) {
  for (const auto& [flag, is_set] : flags)
    if (is_set) return fail(ErrorKind::usage, fmt::format("data {}: {} says nothing here", action, flag));
  return {};
}

Result<DataArguments> resolve_prepare(const DataFlags& flags) {
  constexpr const char* example = "culprit data prepare imdb/test --tokenizer tokenizer.json -o imdb.jsonl";
  const std::string& texts = flags.model.empty() ? flags.data : flags.model;  // people write either
  if (texts.empty()) return fail(ErrorKind::usage, "data prepare: no texts are named", example);
  if (flags.tokenizer.empty()) return fail(ErrorKind::usage, "data prepare: --tokenizer is missing", example);
  if (flags.output.empty()) return fail(ErrorKind::usage, "data prepare: -o FILE is missing", example);
  if (auto ok = expect_unset("prepare", {{"--data", !flags.model.empty() && !flags.data.empty()},
                                         {"--labels", !flags.labels.empty()},
                                         {"--preprocess", !flags.preprocess.empty()},
                                         {"--generate", !flags.generate.empty()},
                                         {"--samples", !flags.samples.empty()},
                                         {"--input", !flags.inputs.empty()}});
      !ok)
    return tl::unexpected(ok.error());
  const auto max_length = tokens_of("--max-length", flags.max_length, 1);
  if (!max_length) return tl::unexpected(max_length.error());
  const auto stride = tokens_of("--stride", flags.stride, 0);
  if (!stride) return tl::unexpected(stride.error());
  DataArguments arguments;
  arguments.prepare = PrepareRequest{
      texts, {flags.tokenizer, *max_length, *stride, flags.split, flags.config}, flags.encoder, flags.output};
  return arguments;
}

}  // namespace

Result<DataArguments> resolve(const DataFlags& flags) {
  if (flags.action == "prepare") return resolve_prepare(flags);
  if (auto ok = expect_unset("show", {{"--tokenizer", !flags.tokenizer.empty()},
                                      {"--max-length", !flags.max_length.empty()},
                                      {"--stride", !flags.stride.empty()},
                                      {"--split", !flags.split.empty()},
                                      {"--config", !flags.config.empty()},
                                      {"--encoder", !flags.encoder.empty()}});
      !ok)
    return tl::unexpected(ok.error());
  constexpr std::int64_t most = 200;
  const bool is_shortened = flags.model.empty() && flags.action != "show";  // the usual action
  if (!is_shortened)
    if (const auto action = choice("data", flags.action, {"show", "prepare"}); !action)
      return tl::unexpected(action.error());
  if (!is_shortened && flags.model.empty())
    return fail(ErrorKind::usage, "data show: no model is named", "culprit data show model.onnx --data pictures");
  DataArguments arguments;
  arguments.model = is_shortened ? flags.action : flags.model;
  arguments.data.data = flags.data;
  arguments.data.inputs = flags.inputs;
  arguments.data.preprocess = flags.preprocess;
  if (!flags.generate.empty()) {
    const auto generate = whole_number("--generate", flags.generate, 1, most_generated);
    if (!generate) return tl::unexpected(generate.error());
    arguments.data.generate = *generate;
  }
  arguments.labels = flags.labels;
  arguments.picture = flags.output;
  if (flags.samples.empty()) return arguments;
  const auto samples = whole_number("--samples", flags.samples, 1, most);
  if (!samples) return tl::unexpected(samples.error());
  arguments.samples = static_cast<std::size_t>(*samples);
  return arguments;
}

namespace {

std::string text_of(const ShownData& data, int width) {
  std::string text;
  for (const std::string& line : data.about) text += hanging("", printable(line), width);
  if (data.about.empty()) text = fmt::format("{} samples\n", data.samples);
  text += "\n";
  for (const ShownSample& sample : data.first) {
    const std::string name = "  " + cut_path(printable(sample.name), 40);
    if (!sample.bad.empty()) {
      text += hanging(name + "  ", "is passed over: " + printable(sample.bad, 300), width);
      continue;
    }
    text += name + (sample.truth.empty() ? "" : "  " + sample.truth) + "\n";
    for (const std::string& input : sample.inputs) text += hanging("      ", input, width);
  }
  const auto more = data.samples - static_cast<std::int64_t>(data.first.size());
  return more > 0 ? text + fmt::format("  and {} more: --samples {} tells of all\n", more, data.samples) : text;
}

/// Never over what is no picture of ours to lose.
Result<void> write_sheet(const ShownData& data, const fs::path& file) {
  if (!data.sheet)
    return fail(ErrorKind::usage, "-o " + printable(file.string()) + ": there is no image to show",
                "only images are drawn");
  if (file.extension() != ".png")
    return fail(ErrorKind::usage, "-o " + printable(file.string()) + ": the name of the image must end with .png");
  return write_png(file, *data.sheet);
}

Result<std::string> show(const DataArguments& arguments, int width) {
  const auto model = load_model(model_file(arguments.model));
  if (!model) return tl::unexpected(model.error());
  const auto work = TemporaryFolder::create(fs::temp_directory_path(), "culprit-data-");
  if (!work) return tl::unexpected(work.error());
  constexpr double patience = 120;  // seconds of one sample
  const auto options = with_data_beside(*model, {arguments.data, arguments.labels, work->path()});
  if (!options) return tl::unexpected(options.error());
  if (options->data.data.empty())
    return fail(ErrorKind::usage, "there are no data to show",
                "name them with --data, or in culprit.yaml (docs/evaluating.md)");
  const auto data = show_data(*model, *options, arguments.samples, {patience, 0}, interrupt_requested);
  if (!data) return tl::unexpected(data.error());
  std::string text = text_of(*data, width);
  if (arguments.picture.empty()) return text;
  if (auto written = write_sheet(*data, arguments.picture); !written) return tl::unexpected(written.error());
  return text + hanging("\nimage: ", printable(arguments.picture.string()), width);
}

}  // namespace

int run_data(const DataArguments& arguments, Terminal& terminal) {
  if (arguments.prepare) return run_prepare(*arguments.prepare, terminal);
  watch_interrupts();
  const auto done =
      show(arguments, terminal.look().width).and_then([&](const std::string& text) { return terminal.print(text); });
  if (done) return exit_code::nothing_wrong;
  terminal.complain(done.error().text());
  return exit_code_of(done.error().kind);
}

}  // namespace culprit
