#pragma once
extern "C" char *basename(char *) noexcept;
extern "C" char *dirname(char *) noexcept;
