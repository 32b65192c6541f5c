#pragma once
// One function for each figure of a profile, and one file. Nothing where there is nothing to show.

#include <optional>
#include <string>

#include "report/profile_figures.h"

namespace culprit {

std::optional<ProfileFigure> node_count_figure(const ProfileReport& report);
std::optional<ProfileFigure> op_types_figure(const ProfileReport& report);
std::optional<ProfileFigure> ratio_figure(const ProfileReport& report);
std::optional<ProfileFigure> utilization_figure(const ProfileReport& report);
std::optional<ProfileFigure> power_figure(const ProfileReport& report);
std::optional<ProfileFigure> op_times_figure(const ProfileReport& report);
std::optional<ProfileFigure> latency_figure(const ProfileReport& report);
std::optional<ProfileFigure> roofline_figure(const ProfileReport& report);
std::optional<ProfileFigure> sweep_figure(const ProfileReport& report);

}  // namespace culprit
