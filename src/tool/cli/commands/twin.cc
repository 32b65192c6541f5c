#include "cli/commands/twin.h"

#include <fmt/format.h>

#include "app/machine_facts.h"
#include "app/optimized_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "model/model_folder.h"
#include "process/interrupt.h"
#include "report/layout.h"
#include "runtime/find_library.h"
#include "worker/pool.h"

namespace culprit {

void add_twin(CommandParser& parser, TwinFlags& flags) {
  const Flags command =
      parser.add_hidden_command({.name = "twin",
                                 .heading = heading_facts,
                                 .about = "Make a model of the same architecture that can be judged",
                                 .examples = {"culprit twin light-resnet50-9.onnx -o twin.onnx",
                                              "culprit twin light-resnet50-9.onnx -o twin.onnx --seed 1"}});
  command.word("MODEL", flags.model, type_file, "ONNX file to make a twin of").required();
  command.value("-o,--output", flags.out, "FILE.onnx").required();
  command.toggle("--reweight", flags.reweight);
  command.toggle("--frozen", flags.frozen);
  command.value("--seed", flags.seed, "S");
  command.value("--runtime", flags.runtime, "PATH|VERSION");
}

Result<TwinArguments> resolve(const TwinFlags& flags) {
  if (flags.frozen && flags.reweight) {
    return fail(ErrorKind::usage, "--frozen and --reweight contradict each other", "give one of them");
  }
  if (flags.frozen && !flags.seed.empty()) {
    return fail(ErrorKind::usage, "--frozen and --seed contradict each other: a frozen twin keeps its weights",
                "give one of them");
  }
  TwinArguments arguments{model_file(flags.model), flags.out, {}, flags.runtime};
  if (flags.frozen) arguments.twin.kind = TwinKind::frozen;
  if (flags.reweight) arguments.twin.kind = TwinKind::reweighted;
  if (!flags.seed.empty()) {
    const auto seed = seed_number("--seed", flags.seed);
    if (!seed) return tl::unexpected(seed.error());
    arguments.twin.seed = *seed;
  }
  return arguments;
}

namespace {

std::string weights_text(const TwinFacts& facts, std::uint64_t seed) {
  const double millions = static_cast<double>(facts.elements) / 1e6;
  return fmt::format("weights by seed {}: {} made, {} replaced, {} elements; {} left alone", seed, facts.made,
                     facts.replaced,
                     facts.elements < 1'000'000 ? std::to_string(facts.elements) : fmt::format("{:.1f} M", millions),
                     counted(facts.left_alone, "constant"));
}

std::string calibration_text(const CalibrationFacts& facts) {
  if (facts.layers + facts.silent == 0) return "not calibrated: no layer in reach";
  std::string text = fmt::format("calibrated: {} in {} on {}", counted(facts.layers, "layer"),
                                 counted(facts.rounds, "round"), counted(facts.samples, "sample"));
  if (facts.layers > 0) text += fmt::format(", variance {:.2f} to {:.2f}", facts.smallest, facts.largest);
  return facts.silent == 0 ? text
                           : text + fmt::format("; {} of one value or not finite", counted(facts.silent, "layer"));
}

Result<TwinFacts> make(const TwinArguments& arguments) {
  const auto model = load_model(arguments.model);
  if (!model) return tl::unexpected(model.error());
  auto file = OptimizedFile::beside(arguments.out, arguments.model);
  if (!file) return tl::unexpected(file.error());
  const auto library = find_onnxruntime(arguments.runtime);
  if (!library) return tl::unexpected(library.error());
  const fs::path folder = fs::absolute(file->file()).parent_path();
  auto work = TemporaryFolder::create(folder, "work-");
  if (!work) return tl::unexpected(work.error());
  const auto executor = make_pool({own_program(), {*library}, /*jobs=*/1, work->path()});
  if (!executor) return tl::unexpected(executor.error());
  Limits limits;
  limits.memory_bytes = usable_memory();
  auto facts = make_twin(*model, file->file(), arguments.twin, {**executor, work->path(), limits});
  if (!facts) return facts;
  if (interrupt_requested()) return fail(ErrorKind::interrupted, "interrupted: no twin was written", "start it again");
  if (auto placed = file->put_in_place(); !placed) return tl::unexpected(placed.error());
  return facts;
}

}  // namespace

std::string twin_text(const TwinArguments& arguments, const TwinFacts& facts, int width) {
  const bool is_frozen = facts.kind == TwinKind::frozen;
  std::string text = hanging(
      "",
      fmt::format("{}: {} twin of {}, {}", printable(arguments.out.string()), is_frozen ? "frozen" : "re-weighted",
                  printable(arguments.model.string()), human_bytes(facts.bytes)),
      width);
  const std::string raised =
      facts.ir_version == facts.ir_before ? "" : fmt::format(", IR {} -> {}", facts.ir_before, facts.ir_version);
  text += hanging("  ",
                  fmt::format("frozen: {} no longer among the inputs{}", counted(facts.frozen, "initializer"), raised),
                  width);
  if (is_frozen) return text + "  weights as they were\n";
  text += hanging("  ", weights_text(facts, arguments.twin.seed), width);
  return text + hanging("  ", calibration_text(facts.calibration), width);
}

int run_twin(const TwinArguments& arguments, Terminal& terminal) {
  set_up_logging(Verbosity::normal);
  watch_interrupts();
  const auto code = make(arguments).and_then([&](const TwinFacts& facts) {
    return terminal.print(twin_text(arguments, facts, terminal.look().width)).map([] {
      return exit_code::nothing_wrong;
    });
  });
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
