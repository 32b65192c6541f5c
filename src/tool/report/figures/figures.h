#pragma once
// One function for each figure of a profile, and one file. Nothing where there is nothing to show.

#include <optional>
#include <string>

#include "report/profile_figures.h"

namespace culprit {

std::optional<Figure> node_count_figure(const ProfileReport& report);
std::optional<Figure> op_types_figure(const ProfileReport& report);
std::optional<Figure> ratio_figure(const ProfileReport& report);
std::optional<Figure> utilization_figure(const ProfileReport& report);
std::optional<Figure> power_figure(const ProfileReport& report);
std::optional<Figure> op_times_figure(const ProfileReport& report);
std::optional<Figure> latency_figure(const ProfileReport& report);
std::optional<Figure> roofline_figure(const ProfileReport& report);
std::optional<Figure> sweep_figure(const ProfileReport& report);

}  // namespace culprit
