#include "cli/commands/doctor.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/machine_facts.h"
#include "app/runtime_probe.h"
#include "app/tool_version.h"
#include "base/cache_folder.h"
#include "base/file.h"
#include "base/text.h"
#include "base/word_names.h"
#include "cli/commands/passes.h"
#include "cli/exit_code.h"
#include "optimizer/optimizer.h"
#include "report/layout.h"
#include "runtime/find_library.h"
#include "runtime/runner_kind.h"

namespace culprit {
namespace {

using State = MachineFinding::State;

constexpr std::uint64_t little_memory = 2'000'000'000, little_disk = 1'000'000'000;
constexpr rlim_t few_files = 256, few_processes = 64;

/// "~/.cache/culprit": short enough for a line, and as good for a shell.
std::string home_short(const fs::path& path) {
  const char* home = std::getenv("HOME");
  std::string text = path.string();
  if (home == nullptr || std::string_view(home).size() < 2 || !text.starts_with(std::string(home) + "/")) return text;
  return "~" + text.substr(std::string_view(home).size());
}

constexpr WordNames<RuntimeSource, 5> runtime_sources = {{
    {RuntimeSource::argument, "named by --runtime"},
    {RuntimeSource::environment, "named by CULPRIT_RUNTIME"},
    {RuntimeSource::package_beside, "the Python package beside this one"},
    {RuntimeSource::cache, "the default of the cache folder"},
    {RuntimeSource::system, "the system's"},
}};

MachineFinding runtime_finding(const std::string& wanted) {
  const std::string bring = "`scripts/setup runtime VERSION` brings a version";
  const auto runtime = look_for_onnxruntime(wanted);
  if (!runtime) return {State::missing, "ONNX Runtime", runtime.error().message, runtime.error().hint};
  const auto probed = probe_runtime(own_program(), {runtime->library});
  if (!probed)
    return {State::missing, "ONNX Runtime", fmt::format("{}: {}", runtime->library.string(), probed.error().message),
            "take another with --runtime PATH|VERSION; " + bring};
  return {State::ok, "ONNX Runtime",
          fmt::format("{}, {}, {}", probed->version, home_short(runtime->library),
                      name_in(runtime_sources, runtime->source)),
          ""};
}

/// Only who has such models needs it.
MachineFinding tflite_finding() {
  const auto library = find_tflite();
  if (!library) return {State::note, "TFLite", "not there, and only TFLite models need it", library.error().hint};
  const auto probed = probe_runtime(own_program(), {*library, std::string(tflite_kind)});
  if (!probed)
    return {State::note, "TFLite", fmt::format("{}: {}", library->string(), probed.error().message),
            "`scripts/setup tflite` brings the version that works"};
  return {State::ok, "TFLite", fmt::format("LiteRT {}, {}", probed->version, home_short(*library)), ""};
}

MachineFinding optimizer_finding() {
  const auto optimizer = make_onnx_optimizer();
  return {State::ok, "ONNX Optimizer",
          fmt::format("{}, linked with ONNX {}; {}", optimizer->version(), onnx_version(),
                      counts_of_passes(optimizer->passes())),
          ""};
}

MachineFinding memory_finding(const Machine& machine) {
  const std::uint64_t usable = machine.memory_limit.value_or(machine.memory);
  std::string found = human_bytes(machine.memory);
  if (machine.memory_limit)
    found += fmt::format(", of which this container may use {}", human_bytes(*machine.memory_limit));
  if (usable >= little_memory) return {State::ok, "memory", found, ""};
  return {State::note, "memory", found, "enough for small models; check big ones with --jobs 1"};
}

std::string limit_text(rlim_t limit) { return limit == RLIM_INFINITY ? "no limit" : std::to_string(limit); }

MachineFinding limits_finding() {
  rlimit files{}, processes{}, space{};
  getrlimit(RLIMIT_NOFILE, &files);
  getrlimit(RLIMIT_NPROC, &processes);
  getrlimit(RLIMIT_AS, &space);
  const std::string address_space = space.rlim_cur == RLIM_INFINITY ? "no limit" : human_bytes(space.rlim_cur);
  const std::string found = fmt::format("open files {}, processes {}, address space {}", limit_text(files.rlim_cur),
                                        limit_text(processes.rlim_cur), address_space);
  if (files.rlim_cur < few_files) return {State::note, "limits", found, "raise the open files: ulimit -n 1024"};
  if (processes.rlim_cur < few_processes) return {State::note, "limits", found, "raise the processes: ulimit -u 1024"};
  if (space.rlim_cur < little_memory)
    return {State::note, "limits", found, "raise the address space: ulimit -v unlimited"};
  return {State::ok, "limits", found, ""};
}

MachineFinding cache_finding() {
  std::error_code error;
  const fs::path folder = cache_folder();
  if (!fs::is_directory(folder, error))
    return {State::note, "cache folder", home_short(folder) + " is not there",
            "scripts/setup makes it; not needed with --runtime PATH"};
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator(folder / "runtimes", error))
    if (!entry.is_symlink(error)) versions.push_back(entry.path().filename());
  std::sort(versions.begin(), versions.end());
  return {State::ok, "cache folder",
          home_short(folder) + (versions.empty() ? "" : ", runtimes " + join(versions, ", ")), ""};
}

/// Tried, for a file system that is read-only says so only then.
MachineFinding folder_finding() {
  std::error_code error;
  const fs::path place = fs::is_directory(".culprit", error) ? ".culprit" : ".";
  const auto folder = TemporaryFolder::create(place, ".culprit-doctor-");
  if (folder) return {State::ok, "run folder", "a check can write to .culprit in the current folder", ""};
  return {State::missing, "run folder", folder.error().message,
          "start in a folder that can be written, or name one with --run-dir"};
}

MachineFinding disk_finding() {
  const auto free = free_disk(".culprit");
  if (!free) return {State::note, "free disk", "cannot be told for the current folder", "check `df .`"};
  const std::string found = human_bytes(*free) + " for .culprit in the current folder";
  if (*free >= little_disk) return {State::ok, "free disk", found, ""};
  return {State::note, "free disk", found, "make room, or name another folder with --run-dir"};
}

}  // namespace

void add_doctor(CommandParser& parser, DoctorArguments& arguments) {
  const Flags command = parser.add_command(
      {.name = "doctor",
       .heading = heading_facts,
       .about = "Look at what a check needs: found, missing, what to do",
       .examples = {"culprit doctor", "culprit doctor --runtime 1.22.1"},
       .exit_codes =
           "Exit codes: 0 all that a check needs is there, 2 wrong usage, 3 something is missing, 4 internal error."});
  command.value("--runtime", arguments.runtime, "PATH|VERSION");
}

std::string findings_as_text(const std::vector<MachineFinding>& findings, const Look& look) {
  constexpr int state_width = 8, what_width = 15;
  std::string text;
  for (const MachineFinding& finding : findings) {
    const auto [word, ink] = finding.state == State::ok     ? std::pair{"ok", Ink::good}
                             : finding.state == State::note ? std::pair{"note", Ink::doubtful}
                                                            : std::pair{"missing", Ink::bad};
    const std::string start = pad_right(word, state_width) + pad_right(finding.what, what_width);
    std::string lines = hanging(start, printable(finding.found), look.width);
    lines.replace(0, std::string_view(word).size(), painted(word, ink, look.colour));
    text += lines;
    if (!finding.to_do.empty())
      text += hanging(std::string(state_width + what_width, ' ') + "-> ", printable(finding.to_do), look.width);
  }
  return text;
}

int exit_code_of(const std::vector<MachineFinding>& findings) {
  const bool missing =
      std::any_of(findings.begin(), findings.end(), [](const MachineFinding& f) { return f.state == State::missing; });
  return missing ? exit_code::cannot_judge : exit_code::nothing_wrong;
}

int run_doctor(const DoctorArguments& arguments, Terminal& terminal) {
  const Machine machine = this_machine();
  const std::vector<MachineFinding> findings{
      {State::ok, "culprit", fmt::format("{}, {}", tool_version(), home_short(own_program())), ""},
      runtime_finding(arguments.runtime),
      optimizer_finding(),
      tflite_finding(),
      {State::ok, "cores", fmt::format("{} ({})", machine.cores, machine.cpu), ""},
      memory_finding(machine),
      limits_finding(),
      cache_finding(),
      folder_finding(),
      disk_finding(),
      {State::ok, "system", machine.os, ""},
  };
  const auto printed = terminal.print(findings_as_text(findings, terminal.look()));
  if (printed) return exit_code_of(findings);
  terminal.complain(printed.error().text());
  return exit_code_of(printed.error().kind);
}

}  // namespace culprit
