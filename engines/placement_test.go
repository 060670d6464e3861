package engines_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// What a library says is shown on one line, short, and without the folders of the user.
func TestReasonsOfLibraries(t *testing.T) {
	for said, want := range map[string]string{
		"Failed to load library /home/anna/ort/libonnxruntime_providers_cuda.so with error: libcudnn.so.9: cannot open": "" +
			"Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn.so.9: cannot open",
		`LoadLibrary failed with error 126 when trying to load "C:\Users\anna\onnxruntime_providers_cuda.dll"`: "" +
			`LoadLibrary failed with error 126 when trying to load "onnxruntime_providers_cuda.dll"`,
		"CUDA failure 2: out of memory. \n at line 3": "CUDA failure 2: out of memory",
		strings.Repeat("é", 500):                      strings.Repeat("é", 120) + "…",
	} {
		why := engines.ErrNoGPU("cuda:0", engines.GPULoad, errors.New(said))
		require.Equal(t, want, why.Params["cause"])
		require.Contains(t, why.Detail, want)
		require.Equal(t, backend.CodeUnsupportedGPU, why.Code)
	}
	wrapped := engines.ErrNoGPU("cuda:0", engines.GPURun, engines.Failed("speaking", errors.New("broken")))
	require.Equal(t, "A run on cuda:0 failed: broken.", wrapped.Detail)
}

func TestPlacementMovesOnce(t *testing.T) {
	var told []string
	p := engines.NewPlacement("cuda:0", func(why *backend.Error) { told = append(told, why.Detail) })
	require.True(t, p.OnGPU())
	require.Nil(t, p.Why())
	p.MoveToCPU(engines.ErrGPUMemory("cuda:0", 900e6, 300e6))
	p.MoveToCPU(engines.ErrNoGPU("cuda:0", engines.GPURun, nil))
	require.Equal(t, []string{"The model needs about 900 MB of memory on cuda:0, and 300 MB are free for it."}, told)
	require.Equal(t, engines.CPU, p.Device())
	require.Equal(t, engines.GPUMemory, p.Why().Params["reason"])
}
