package gpu

/*
#include <signal.h>

// vw_mend_signals makes handlers that a library has set run on Go's stacks for signals. Go ends the process where one does not.
static void vw_mend_signals(void) {
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigaction(number, 0, &action) != 0 || (action.sa_flags & SA_ONSTACK)) continue;
		if (!(action.sa_flags & SA_SIGINFO) && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) continue;
		action.sa_flags |= SA_ONSTACK;
		sigaction(number, &action, 0);
	}
}
*/
import "C"

import (
	"path/filepath"

	"github.com/ebitengine/purego"
)

// mendSignals makes the handlers of signals that CUDA's libraries have set run as Go requires
// (github.com/yalue/onnxruntime_go/issues/140).
func mendSignals() { C.vw_mend_signals() }

// missingLibrary returns what the loader of the system says of the part of ONNX Runtime for CUDA: the library writes that to its log
// only, which is off. nil if it can be loaded.
func missingLibrary(folder string) error {
	handle, err := purego.Dlopen(filepath.Join(folder, "libonnxruntime_providers_cuda.so"), purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	_ = purego.Dlclose(handle)
	return nil
}
