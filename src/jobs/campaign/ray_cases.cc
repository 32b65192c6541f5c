#include "campaign/ray_cases.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/cache_folder.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "campaign/ray_host.h"
#include "process/how_it_ended.h"
#include "process/interrupt.h"
#include "process/run_program.h"

namespace culprit {
namespace {

using HostJson = nlohmann::json;

constexpr const char* ray_hint = "--resume goes on; without --on, cases run on this machine";

std::string as_line(const HostJson& json) { return json.dump(-1, ' ', false, HostJson::error_handler_t::replace); }

Error host_failed(const std::string& what) { return {ErrorKind::io, "the host of Ray failed: " + what, ray_hint}; }

Error host_failed(const Error& error) {
  if (error.kind == ErrorKind::interrupted) return error;
  return host_failed(error.message);
}

Error said_nonsense(const std::string& line) { return host_failed("it said '" + printable(line, 100) + "'"); }

std::optional<int> whole_at(const HostJson& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number_integer() ? std::optional(at->get<int>()) : std::nullopt;
}

Failure death_told(const HostJson& json) {
  const auto lost = json.find("lost");
  if (lost != json.end() && *lost == true) {
    Failure death{Ending::crashed, "Ray lost its worker or its node, again and again", ""};
    death.doubtful = true;
    return death;
  }
  constexpr int last_signal = 64;
  if (const auto number = whole_at(json, "signal"); number && *number > 0 && *number <= last_signal)
    return failure_of_status(*number, std::nullopt);
  if (whole_at(json, "exit_code")) return {};
  return {Ending::exited, "ended before it was done", ""};
}

std::optional<CaseEnd> end_told(const std::string& line) {
  const HostJson json = HostJson::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto key = CaseKey::from_hex(text_in(json, "ended"));
  const auto seconds = json.find("seconds");
  if (!key || seconds == json.end() || !seconds->is_number()) return std::nullopt;
  CaseEnd end{*key, std::max(seconds->get<double>(), 0.0)};
  end.exit_code = whole_at(json, "exit_code");
  end.death = death_told(json);
  end.death.last_words = printable(text_in(json, "last_words"));
  return end;
}

}  // namespace

std::string python_with_ray() {
  const char* named = std::getenv("CULPRIT_RAY_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  const fs::path python = cache_folder() / "ray" / "bin" / "python";
  return can_start(python.string()) ? python.string() : "python3";
}

Result<std::unique_ptr<RayCases>> RayCases::connect(const RayPlace& place, const CasePlaces& places, const Stop& stop,
                                                    double seconds) {
  if (!can_start(place.python))
    return fail(ErrorKind::usage, "--on: there is no program '" + printable(place.python, 200) + "'",
                "CULPRIT_RAY_PYTHON names a Python that has ray");
  auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-script-");
  if (!folder) return tl::unexpected(folder.error());
  const fs::path script = folder->path() / "ray_cases.py";
  if (auto ok = write_file_atomic(script, ray_host_script()); !ok) return tl::unexpected(ok.error());
  auto cases = connect_by({place.python, script}, place, places, stop, seconds);
  if (cases) (*cases)->script_.emplace(std::move(*folder));
  return cases;
}

Result<std::unique_ptr<RayCases>> RayCases::connect_by(std::vector<std::string> host, const RayPlace& place,
                                                       const CasePlaces& places, const Stop& stop, double seconds) {
  constexpr double seconds_to_end = 20;
  auto scratch = TemporaryFolder::create(fs::temp_directory_path(), "culprit-host-");
  if (!scratch) return tl::unexpected(scratch.error());
  host.insert(host.end(),
              {place.address, places.program, fs::absolute(places.campaign_folder), fs::absolute(places.cases)});
  ProgramCall call{std::move(host), scratch->path()};
  call.may_use_network = true;
  auto program = LineProgram::start(std::move(call), {scratch->path(), {seconds, 0}, stop, seconds_to_end});
  if (!program) return tl::unexpected(program.error());
  std::unique_ptr<RayCases> cases(new RayCases(std::move(*scratch), std::move(*program)));
  if (auto ok = cases->hear_of_cluster(); !ok) return tl::unexpected(ok.error());
  return cases;
}

Result<void> RayCases::hear_of_cluster() {
  const auto line = host_.next_line();
  if (!line) return tl::unexpected(host_failed(line.error()));
  const HostJson json = HostJson::parse(*line, nullptr, false);
  if (!json.is_object()) return tl::unexpected(said_nonsense(*line));
  if (const std::string cannot = text_in(json, "cannot"); !cannot.empty())
    return fail(ErrorKind::usage, "--on: " + printable(cannot, 1000), printable(text_in(json, "hint"), 1000));
  const auto cpus = whole_at(json, "cpus");
  const auto nodes = whole_at(json, "nodes");
  if (!cpus || !nodes) return tl::unexpected(said_nonsense(*line));
  cpus_ = *cpus;
  nodes_ = *nodes;
  return {};
}

Result<void> RayCases::start(const CaseKey& key, const CaseOrder& order) {
  host_.tell(as_line({{"start", key.hex()}, {"words", words_of(order)}}));
  running_.insert(key);
  return {};
}

Result<std::vector<CaseEnd>> RayCases::wait() {
  constexpr int look_again = 250;  // milliseconds
  const auto lines = host_.lines_within(look_again, interrupt_fd());
  if (!lines) return tl::unexpected(host_failed(lines.error()));
  std::vector<CaseEnd> ended;
  for (const std::string& line : *lines) {
    auto end = end_told(line);
    if (!end) return tl::unexpected(said_nonsense(line));
    if (running_.erase(end->key) > 0) ended.push_back(std::move(*end));
  }
  return ended;
}

void RayCases::kill_all() {
  if (!running_.empty()) host_.tell(as_line({{"stop", true}}));
  running_.clear();
}

}  // namespace culprit
