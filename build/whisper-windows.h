// Included first in the C sources of whisper.cpp for Windows: what they use of Windows 10 and mingw-w64 10 does not declare. With it
// Windows 11 leaves the threads that compute on all cores; the library would also compile for Windows 7, but without that call.
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#ifndef THREAD_POWER_THROTTLING_CURRENT_VERSION
#define THREAD_POWER_THROTTLING_CURRENT_VERSION 1
#define THREAD_POWER_THROTTLING_EXECUTION_SPEED 1
typedef struct {
	ULONG Version;
	ULONG ControlMask;
	ULONG StateMask;
} THREAD_POWER_THROTTLING_STATE;
#endif
