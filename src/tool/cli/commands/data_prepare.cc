#include "cli/commands/data_prepare.h"

#include <fmt/format.h>

#include <string>

#include "app/machine_facts.h"
#include "app/output_path.h"
#include "app/workers.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/present.h"
#include "process/interrupt.h"
#include "report/layout.h"
#include "texts/prepared_texts.h"

namespace culprit {
namespace {

std::string count_of(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string text_of(const PreparedFacts& facts, const PrepareRequest& request, bool is_new, int width) {
  const std::string file = printable(request.to.string());
  std::string text = hanging("",
                             fmt::format("{} of {} ({}) {} {}", count_of(facts.samples, "text", "texts"),
                                         printable(facts.from, 100), facts.kind, is_new ? "are in" : "were in", file),
                             width);
  if (!is_new) text += hanging("", "nothing was to be done: texts, tokenizer, encoder and flags are the same", width);
  if (!facts.encoder.empty()) text += hanging("", "read by the encoder " + printable(facts.encoder, 100), width);
  if (facts.cut > 0)
    text += hanging(
        "", fmt::format("cut off after {} tokens: {}", facts.max_length, count_of(facts.cut, "text", "texts")), width);
  if (facts.left_out > 0)
    text += hanging("", fmt::format("left out: {}", count_of(facts.left_out, "text", "texts")), width);
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(most, facts.listed.size()); ++i)
    text += hanging("  ", printable(facts.listed[i].name, 100) + ": " + printable(facts.listed[i].reason, 300), width);
  if (facts.left_out > static_cast<std::int64_t>(most))
    text += fmt::format("  and {} more: the first line of the file lists a hundred\n",
                        facts.left_out - static_cast<std::int64_t>(most));
  return text;
}

/// Only what is no file yet, or was prepared before, is written over.
Result<void> expect_own(const fs::path& output) {
  std::error_code ignored;
  if (!fs::exists(output, ignored) || PreparedTexts::is_one(output)) return {};
  return unfit(output, "it is there already, and holds no prepared texts");
}

Result<std::string> prepare(const PrepareRequest& request, Terminal& terminal, int width) {
  if (auto ok = expect_own(request.to); !ok) return tl::unexpected(ok.error());
  const auto work = TemporaryFolder::create(fs::temp_directory_path(), "culprit-texts-");
  if (!work) return tl::unexpected(work.error());
  PrepareTools tools;
  tools.python = python_with_tokenizers();
  tools.scratch = work->path();
  tools.stop = interrupt_requested;
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto prepared = prepare_encoded(request, tools, *workers, [&](auto done, auto total, const std::string& what) {
    listener.progress(done, total, what);
  });
  listener.progress_ends();
  if (!prepared) return tl::unexpected(prepared.error());
  return text_of(prepared->facts, request, prepared->is_new, width);
}

}  // namespace

int run_prepare(const PrepareRequest& request, Terminal& terminal) {
  watch_interrupts();
  const auto done = prepare(request, terminal, terminal.look().width).and_then([&](const std::string& text) {
    return terminal.print(text);
  });
  if (done) return exit_code::nothing_wrong;
  terminal.complain(done.error().text());
  return exit_code_of(done.error().kind);
}

}  // namespace culprit
