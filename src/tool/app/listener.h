#pragma once
// Who hears how far work is: a terminal, a page, nobody.

#include <cstddef>
#include <filesystem>
#include <string>

#include "record/environment.h"
#include "record/report.h"

namespace culprit {

class Listener {
 public:
  virtual ~Listener() = default;
  /// `done` of `total` things, and what is going on; 0 of 0 where nothing is counted.
  virtual void progress(std::size_t done, std::size_t total, const std::string& what) = 0;
  /// What was under way is over.
  virtual void progress_ends() = 0;
  /// One model of a check is finished. Others may follow.
  virtual void finished(const ModelReport& model, const Environment& environment,
                        const std::filesystem::path& run_folder) = 0;
};

/// Hears nothing.
class DeafListener : public Listener {
 public:
  void progress(std::size_t, std::size_t, const std::string&) override {}
  void progress_ends() override {}
  void finished(const ModelReport&, const Environment&, const std::filesystem::path&) override {}
};

}  // namespace culprit
