#pragma once
// What a request wants of its workshop: the files that it reads, and the groups that say how models run.

#include <filesystem>
#include <string>
#include <vector>

#include "app/requests.h"

namespace culprit {

struct NamedFile {
  std::string flag;  ///< "--known", "--input x"; "MODEL", "SOURCE" for a word without a flag
  std::filesystem::path path;
};

/// A view of a request, which outlives it.
struct WorkshopOrder {
  std::vector<NamedFile> models;
  const DataRequest& data;
  const RunningRequest& running;
  const FolderRequest& folder;
  const WitnessRequest* witnesses = nullptr;    ///< null: nobody else is asked
  const OptimizerRequest* optimizer = nullptr;  ///< null: the linked one, of which nothing is wanted
  std::filesystem::path variant = {}, known = {}, target_data = {};
};

WorkshopOrder order_of(const CheckRequest& request);
WorkshopOrder order_of(const TwoModelsRequest& request);
WorkshopOrder order_of(const DiagnoseRequest& request);
WorkshopOrder order_of(const EvaluateRequest& request);
WorkshopOrder order_of(const ProfileRequest& request);
WorkshopOrder order_of(const ReduceRequest& request);

}  // namespace culprit
