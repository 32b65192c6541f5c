#pragma once
// A task of Ray for each case, on this machine or on many.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "campaign/case_processes.h"
#include "process/line_program.h"

namespace culprit {

struct RayPlace {
  std::string address;  ///< "ray": the cluster of this machine, or a new one; "ray://HOST:PORT"
  std::string python;   ///< that has ray
};

/// The Python that CULPRIT_RAY_PYTHON names, the one that `scripts/setup ray` made, or python3.
std::string python_with_ray();

class RayCases : public CaseRunner {
 public:
  /// Waits until there is a cluster, which may take so many seconds. A cluster that this began ends with this.
  /// ErrorKind::usage: there is no such Python, it has no ray, or no cluster is at the address; io: the host failed.
  static Result<std::unique_ptr<RayCases>> connect(const RayPlace& place, const CasePlaces& places, const Stop& stop,
                                                   double seconds = 120);
  /// Connects by another program than the host of ours: `host` is that program and its first words.
  static Result<std::unique_ptr<RayCases>> connect_by(std::vector<std::string> host, const RayPlace& place,
                                                      const CasePlaces& places, const Stop& stop, double seconds);

  [[nodiscard]] int cpus() const { return cpus_; }    ///< of the cluster
  [[nodiscard]] int nodes() const { return nodes_; }  ///< of the cluster
  Result<void> start(const CaseKey& key, const CaseOrder& order) override;
  Result<std::vector<CaseEnd>> wait() override;
  void kill_all() override;

 private:
  RayCases(TemporaryFolder scratch, LineProgram host) : scratch_(std::move(scratch)), host_(std::move(host)) {}
  Result<void> hear_of_cluster();

  std::optional<TemporaryFolder> script_;
  TemporaryFolder scratch_;
  LineProgram host_;  // goes before its folders
  std::set<CaseKey> running_;
  int cpus_ = 0, nodes_ = 0;
};

}  // namespace culprit
