#pragma once
// What an answer of the Hugging Face hub means that is not what was asked for.

#include "download/http.h"
#include "hub/hf_name.h"
#include "hub/hf_settings.h"

namespace culprit {

/// May the same question be answered another time? So after too many, and where the server fails itself.
bool is_hf_busy(const HttpAnswer& answer);

/// Errors: io where it is not for everybody, or busy; not_found for a model, a revision, or a file that is not there.
Error hf_refusal(const HfName& name, const HfSettings& settings, const HttpAnswer& answer);

}  // namespace culprit
