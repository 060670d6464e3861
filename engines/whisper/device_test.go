package whisper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func TestChooseDevice(t *testing.T) {
	two, mac := []string{"cuda:0", "cuda:1"}, []string{"metal"}
	for _, c := range []struct {
		wanted string
		gpus   []string
		device string
		number int
		why    any
	}{
		{"", nil, "cpu", -1, nil},
		{"auto", nil, "cpu", -1, nil},
		{"auto", two, "cuda:0", 0, nil},
		{"cpu", two, "cpu", -1, nil},
		{"cuda", two, "cuda:0", 0, nil},
		{"cuda:1", two, "cuda:1", 1, nil},
		{"cuda:2", two, "cuda:2", -1, engines.GPUMissing},
		{"coreml", mac, "metal", 0, nil},
		{"metal", mac, "metal", 0, nil},
		{"directml", []string{"vulkan:0"}, "vulkan:0", 0, nil},
		{"cuda", mac, "cuda", -1, engines.GPUMissing},
		{"directml", nil, "vulkan", -1, engines.GPUMissing},
	} {
		device, number, why, err := chooseDevice(c.wanted, c.gpus)
		require.NoError(t, err)
		require.Equal(t, c.device, device, c.wanted)
		require.Equal(t, c.number, number, c.wanted)
		if c.why == nil {
			require.Nil(t, why, c.wanted)
		} else {
			require.Equal(t, c.why, why.Params["reason"], c.wanted)
		}
	}
	_, _, _, err := chooseDevice("tpu", two)
	require.Equal(t, backend.CodeUnsupportedGPU, backend.CodeOf(err))
}
