#include "optimizer/command/find_command.h"

#include <algorithm>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "optimizer/command/presets.h"
#include "optimizer/command/read_program_description.h"
#include "process/run_program.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_spec = std::uint64_t{1} << 20;

/// "onnxsim@0.4.36" in two.
struct Wanted {
  std::string name, version;
};

Wanted parted(const std::string& wanted) {
  const auto at = wanted.rfind('@');
  if (at == std::string::npos || wanted.find('/', at) != std::string::npos) return {wanted, ""};
  return {wanted.substr(0, at), wanted.substr(at + 1)};
}

bool is_plain(const std::string& word) {
  return !word.empty() && word.front() != '.' && word.find('/') == std::string::npos && word == printable(word, 100);
}

/// Names the folder of this build's scripts: another build's are in another folder.
std::string name_of_scripts() {
  std::string texts;
  for (const PresetFile& script : preset_scripts()) texts += script.text;
  return "scripts-" + hash128(texts).hex().substr(0, 12);
}

Result<void> put_scripts(const fs::path& folder) {
  if (auto ok = make_folder(folder); !ok) return ok;
  for (const PresetFile& script : preset_scripts()) {
    const auto there = read_file(folder / script.name, largest_spec);
    if (there && *there == script.text) continue;
    if (auto ok = write_file_atomic(folder / script.name, script.text); !ok) return ok;
  }
  return {};
}

/// In the cache, for users call a program with them, too, as a report shows it; where that cannot be written, in
/// `hosts`.
Result<fs::path> folder_of_scripts(const fs::path& hosts) {
  const fs::path cached = cache_folder() / "optimizers" / name_of_scripts();
  if (!cache_folder().empty() && put_scripts(cached)) return cached;
  if (auto ok = put_scripts(hosts); !ok) return tl::unexpected(ok.error());
  return fs::absolute(hosts);
}

Result<ReadSpec> read_preset(const PresetFile& preset, const fs::path& hosts) {
  const auto folder = folder_of_scripts(hosts);
  if (!folder) return tl::unexpected(folder.error());
  return read_command_spec(std::string(preset.text), std::string(preset.name) + ".yaml", *folder);
}

Result<ReadSpec> read_users(const std::string& file) {
  const auto text = read_file(file, largest_spec);
  if (!text)
    return fail(ErrorKind::usage, "--optimizer " + printable(file) + ": " + text.error().message, text.error().hint);
  return read_command_spec(*text, printable(file), fs::absolute(file).parent_path());
}

Error not_set_up(const ReadSpec& read, const std::string& version, bool is_preset) {
  const std::string& who = is_preset ? read.spec.name : read.environment;
  const std::string what = version.empty() ? who : who + " " + version;
  return {ErrorKind::usage, read.spec.name + ": its Python packages are not there",
          is_preset ? "`scripts/setup optimizer " + printable(what, 100) + "` brings them"
                    : "its environment is made by `scripts/setup optimizer " + printable(what, 100) +
                          "`, or name a `python` in the file"};
}

/// The Python of the environment that scripts/setup made; of a file that names none, the one on PATH.
Result<std::string> python_of(const ReadSpec& read, const std::string& version, bool is_preset) {
  if (!read.spec.python.empty()) return read.spec.python;
  if (read.environment.empty()) return std::string("python3");
  const std::string at = version.empty() ? "default" : version;
  if (!is_plain(read.environment) || !is_plain(at))
    return fail(ErrorKind::usage, read.spec.name + ": '" + printable(read.environment + "@" + at, 100) +
                                      "' names no environment of scripts/setup");
  const fs::path python = cache_folder() / "optimizers" / read.environment / at / "bin" / "python";
  std::error_code error;
  if (fs::exists(python, error)) return python.string();
  return tl::unexpected(not_set_up(read, version, is_preset));
}

/// The program itself, where nothing but a look at the disk is needed to see that it is not there.
Result<void> expect_program(const CommandSpec& spec) {
  if (spec.command.empty()) return {};
  const std::string program = filled_in({spec.command.front()}, "python", spec.python).front();
  if (program.find('{') != std::string::npos || can_start(program)) return {};
  const bool is_relative = program.find('/') != std::string::npos && program.front() != '/';
  return fail(ErrorKind::usage, spec.name + ": there is no program '" + printable(program, 200) + "'",
              is_relative
                  ? "name it by its whole path, or as {here}/... beside the file, for it runs in a folder of its own"
                  : "install it, or mend 'command'");
}

bool uses_python(const CommandSpec& spec) {
  return std::ranges::any_of(spec.command,
                             [](const std::string& word) { return word.find("{python}") != std::string::npos; });
}

/// What tells the version of a Python package, where the file does not say how.
void complete(CommandSpec& spec) {
  if (!spec.version.empty() || spec.packages.empty() || !uses_python(spec)) return;
  spec.version = {"{python}", "-c",
                  "import importlib.metadata as m; print(m.version('" + spec.packages.front() + "'))"};
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const PresetFile& preset : preset_specs()) names.emplace_back(preset.name);
  std::ranges::sort(names);
  return names;
}

bool names_a_file(const std::string& optimizer) {
  const std::string name = parted(optimizer).name;
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.find('/') != std::string::npos;
}

Result<CommandSpec> find_command(const std::string& wanted, const fs::path& hosts, const GivenOptions& given) {
  const auto [name, version] = parted(wanted);
  const bool is_preset = !names_a_file(wanted);
  if (version.empty() && wanted.ends_with('@'))
    return fail(ErrorKind::usage, "--optimizer " + printable(wanted, 200) + ": no version stands after the @");
  const auto presets = preset_specs();
  const auto preset = std::ranges::find(presets, name, &PresetFile::name);
  if (is_preset && preset == presets.end())
    return fail(ErrorKind::usage, "there is no optimizer '" + printable(name, 80) + "'",
                "`culprit optimizers` lists them");
  auto read = is_preset ? read_preset(*preset, hosts) : read_users(name);
  if (!read) return tl::unexpected(read.error());
  if (is_preset && read->environment.empty()) read->environment = read->spec.name;
  if (!is_preset && !version.empty() && (read->environment.empty() || !uses_python(read->spec)))
    return fail(ErrorKind::usage,
                "--optimizer " + printable(wanted, 200) + ": the file names no environment, so it has no versions",
                "leave out @" + printable(version, 60));
  if (uses_python(read->spec)) {
    auto python = python_of(*read, version, is_preset);
    if (!python) return tl::unexpected(python.error());
    read->spec.python = std::move(*python);
  }
  complete(read->spec);
  if (auto ok = expect_program(read->spec); !ok) return tl::unexpected(ok.error());
  if (auto ok = choose_options(read->spec, read->known, given, hosts); !ok) return tl::unexpected(ok.error());
  return std::move(read->spec);
}

}  // namespace culprit
