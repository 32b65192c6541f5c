#include "cli/known.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/exit_code.h"
#include "report/layout.h"
#include "repro/repro_folder.h"

namespace culprit {
namespace {

Result<KnownFaults> read_or_begin(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error) ? read_known(file) : KnownFaults();
}

std::string entry_text(const KnownFault& fault, int width) {
  const std::string first =
      fmt::format("{}: {} by {}", fault.id, name_of(fault.key.verdict), printable(join(fault.key.culprits, " + ")));
  std::string text = hanging("", first, width);
  if (!fault.note.empty()) text += hanging("     ", printable(fault.note), width);
  text += hanging("     signature  ", printable(fault.key.signature), width);
  if (!fault.source.empty()) text += hanging("     seen in    ", printable(fault.source), width);
  return text;
}

Result<void> add(const KnownArguments& arguments, Terminal& terminal) {
  auto known = read_or_begin(arguments.file);
  if (!known) return tl::unexpected(known.error());
  std::string said;
  for (const fs::path& path : arguments.repros) {
    const auto bundle = read_bundle(path);
    if (!bundle) return tl::unexpected(bundle.error());
    const std::size_t before = known->size();
    const std::string id = add_known(*known, bundle->facts, arguments.note);
    said += fmt::format("{}: {} {} in {}\n", printable(path.string()),
                        known->size() > before ? "added as" : "is already", id, printable(arguments.file.string()));
  }
  if (auto written = write_known(*known, arguments.file); !written) return written;
  return terminal.print(said);
}

Result<void> list(const KnownArguments& arguments, Terminal& terminal) {
  const auto known = read_known(arguments.file);
  if (!known) return tl::unexpected(known.error());
  if (arguments.format == Format::text) return terminal.print(known_as_text(*known, terminal.look().width));
  const auto text = read_file(arguments.file);  // it is JSON, and was found to be right
  if (!text) return tl::unexpected(text.error());
  return terminal.print(*text);
}

}  // namespace

std::string known_as_text(const KnownFaults& known, int width) {
  std::string text;
  for (const KnownFault& fault : known) text += entry_text(fault, width);
  return text.empty() ? "no fault is known\n" : text;
}

int run_known(const KnownArguments& arguments, Terminal& terminal) {
  const auto done = arguments.adds ? add(arguments, terminal) : list(arguments, terminal);
  if (done) return exit_code::nothing_wrong;
  terminal.complain(done.error().text());
  return exit_code_of(done.error().kind);
}

}  // namespace culprit
