#include "models/nki/error.h"

#include <fmt/format.h>

#include <utility>

namespace tpb::nki {

Error::Error(std::string identifier_, std::string validator_, std::string instruction_, std::string parameter_,
             std::string value_, std::string message_)
    : identifier(std::move(identifier_)),
      validator(std::move(validator_)),
      instruction(std::move(instruction_)),
      parameter(std::move(parameter_)),
      value(std::move(value_)),
      message(std::move(message_)),
      text_(fmt::format("{}: {} (parameter {}, {}): {}", instruction, identifier, parameter, value, message)) {}

}  // namespace tpb::nki
