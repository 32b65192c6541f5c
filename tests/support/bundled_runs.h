#pragma once
// For executors of tests that know files only: a bundled job (executor/executor.h) as one with a file for each sample.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "executor/executor.h"
#include "tensor/pack_bundle.h"
#include "tensor/pack_file.h"

namespace culprit {

/// Its samples are copied beside the bundle, where its outputs go as well. Any other job as it is.
inline RunJob in_files(RunJob job) {
  if (!job.bundled) return job;
  job.folder = job.bundled->outputs.string() + "-files";
  std::filesystem::create_directories(job.folder);
  PackReader reader;
  for (const PackPlace& place : job.bundled->samples) {
    const auto sample = reader.read(place);
    EXPECT_TRUE(sample) << "a sample that is not there";
    job.samples.push_back(job.folder / ("in-" + std::to_string(job.samples.size()) + ".pack"));
    EXPECT_TRUE(sample && write_pack(job.samples.back(), *sample));
  }
  job.bundled.reset();
  return job;
}

/// What the files gave, for a job that was bundled.
inline void bundle_outputs(const RunJob& job, RunOutcome& outcome) {
  if (!job.bundled) return;
  auto writer = BundleWriter::create(job.bundled->outputs).value();
  for (const auto& output : outcome.outputs) EXPECT_TRUE(writer.add(read_pack(output).value()));
  outcome.outputs.clear();
  const auto places = packs_in_bundle(job.bundled->outputs).value();
  for (const auto& place : places) outcome.bundled.push_back(place.value());
}

}  // namespace culprit
