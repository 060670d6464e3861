package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeNVML is a driver library with two GPUs, of which the second has no known memory.
const fakeNVML = `
#include <string.h>
static int started;
int nvmlInit_v2(void) { started = 1; return 0; }
int nvmlShutdown(void) { started = 0; return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return started ? 0 : 1; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)(long)(i + 1); return 0; }
int nvmlDeviceGetName(void *d, char *name, unsigned size) { strncpy(name, d == (void *)1 ? "GPU One" : "GPU Two", size); return 0; }
int nvmlDeviceGetMemoryInfo(void *d, unsigned long long *m) {
	if (d != (void *)1) return 3;
	m[0] = 8000000000ULL; m[1] = 6000000000ULL; m[2] = 2000000000ULL;
	return 0;
}
`

func TestGPUs(t *testing.T) {
	dir := t.TempDir()
	source, library := filepath.Join(dir, "nvml.c"), filepath.Join(dir, "libnvidia-ml.so.1")
	require.NoError(t, os.WriteFile(source, []byte(fakeNVML), 0o600))
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, source).CombinedOutput()
	require.NoError(t, err, string(out))

	require.Equal(t, []Device{
		{ID: "cuda:0", Name: "GPU One", Memory: &Space{Total: 8_000_000_000, Free: 6_000_000_000}},
		{ID: "cuda:1", Name: "GPU Two"},
	}, gpusOf(library))
	require.Empty(t, gpusOf(filepath.Join(dir, "missing.so")))
	require.Empty(t, gpusOf(source), "a file that is not a library")
}
