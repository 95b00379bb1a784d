// What is wrong with a call of an intrinsic.
#pragma once

#include <exception>
#include <string>

namespace tpb::nki {

// Thrown by every builder call; nothing has been appended then.
class Error : public std::exception {
 public:
  // `identifier`: err_..., nki_assert, or sema.METHOD for a rule of the lowering (intrinsics document).
  // `validator`: the _check_ function that raised it; empty when none did.
  Error(std::string identifier, std::string validator, std::string instruction, std::string parameter,
        std::string value, std::string message);

  const char* what() const noexcept override { return text_.c_str(); }

  std::string identifier, validator, instruction, parameter, value, message;

 private:
  std::string text_;
};

}  // namespace tpb::nki
