#include "store/case_types.h"

#include "base/word_names.h"

namespace culprit {
namespace {

constexpr WordNames<CaseState, 4> case_state_names = {{
    {CaseState::waiting, "waiting"},
    {CaseState::running, "running"},
    {CaseState::finished, "finished"},
    {CaseState::set_aside, "set_aside"},
}};

constexpr WordNames<OutcomeStatus, 5> outcome_status_names = {{
    {OutcomeStatus::fault, "fault"},
    {OutcomeStatus::known, "known"},
    {OutcomeStatus::ok, "ok"},
    {OutcomeStatus::inconclusive, "inconclusive"},
    {OutcomeStatus::failed, "failed"},
}};

}  // namespace

std::string_view name_of(CaseState state) { return name_in(case_state_names, state); }
std::string_view name_of(OutcomeStatus status) { return name_in(outcome_status_names, status); }
std::optional<OutcomeStatus> outcome_status_named(std::string_view name) { return word_in(outcome_status_names, name); }

}  // namespace culprit
