package gpu

import (
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// handler is the kernel's struct sigaction.
type handler struct{ function, flags, restorer, mask uint64 }

func handlerOf(t *testing.T, number syscall.Signal) (h handler) {
	t.Helper()
	_, _, failure := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(number), 0, uintptr(unsafe.Pointer(&h)), 8, 0, 0)
	require.Zero(t, failure)
	return h
}

// A handler that a library has set without regard for Go is made to run on Go's stack.
func TestHandlersOfLibraries(t *testing.T) {
	const onStack, number = 0x08000000, syscall.SIGUSR2
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	require.NoError(t, err)
	set, err := purego.Dlsym(libc, "__sysv_signal")
	require.NoError(t, err)
	function, err := purego.Dlsym(libc, "labs")
	require.NoError(t, err)
	before, _, _ := purego.SyscallN(set, uintptr(number), function)
	defer purego.SyscallN(set, uintptr(number), before)
	require.Zero(t, handlerOf(t, number).flags&onStack)
	require.NoError(t, cuda{}.Do(func() error { return nil }))
	require.NotZero(t, handlerOf(t, number).flags&onStack)
	require.Equal(t, uint64(function), handlerOf(t, number).function)
}

// The loader of the system names what is missing.
func TestMissingLibrary(t *testing.T) {
	require.ErrorContains(t, cuda{}.Missing(t.TempDir()), "libonnxruntime_providers_cuda.so")
	require.NoError(t, directML{}.Missing(filepath.Join("no", "folder")))
}
