package devices_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/devices"
	"github.com/voicewright/voicewright/engines"
)

const gb = 1_000_000_000

// gpu returns devices with a GPU of so many bytes, and the log.
func gpu(t *testing.T, total, free int64, speeds string) (*devices.Devices, *strings.Builder) {
	t.Helper()
	log := &strings.Builder{}
	return devices.New(devices.Options{
		Memory: func(device string) (int64, int64, bool) { return total, free, device == "cuda:0" },
		Speeds: speeds, Log: slog.New(slog.NewTextHandler(log, nil)),
	}), log
}

func choose(d *devices.Devices, model, wanted, usual string, need int64) engines.Options {
	o := engines.Options{Model: model, Device: wanted}
	d.Choose(&o, usual, need)
	return o
}

// Two models share the memory of a GPU; a third one, which does not fit, goes to the CPU and says why, until one is unloaded.
func TestModelsShareAGPU(t *testing.T) {
	d, log := gpu(t, 4*gb, 4*gb, "")
	first := choose(d, "first", "cuda", "", gb)
	require.Equal(t, "cuda", first.Device)
	require.Equal(t, int64(18*gb/10), first.Memory, "half of what may be used")
	second := choose(d, "second", "cuda:0", "", gb)
	require.Equal(t, int64(15*gb/10), second.Memory, "what it needs")
	third := choose(d, "third", "cuda", "", gb)
	require.Equal(t, "cpu", third.Device)
	requested, why := d.State("third")
	require.Equal(t, "cuda", requested)
	require.Equal(t, "The model needs about 1500 MB of memory on cuda:0, and 300 MB are free for it.", why.Detail)
	require.Equal(t, engines.GPUMemory, why.Params["reason"])
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))

	d.Unloaded("first")
	require.Equal(t, "cuda", choose(d, "third", "cuda", "", gb).Device)
	_, why = d.State("third")
	require.Nil(t, why)
}

// Other programs use the GPU too; without knowledge of its memory there is no limit.
func TestFreeMemory(t *testing.T) {
	d, _ := gpu(t, 24*gb, gb, "")
	require.Equal(t, "cpu", choose(d, "a", "cuda", "", gb).Device)
	o := choose(d, "a", "coreml", "", gb)
	require.Equal(t, "coreml", o.Device)
	require.Zero(t, o.Memory)
}

// The list of models does not wait for a driver that takes long to say how much memory is free.
func TestStateDuringALookAtTheMemory(t *testing.T) {
	asked := false
	var d *devices.Devices
	d = devices.New(devices.Options{Memory: func(string) (int64, int64, bool) {
		_, why := d.State("b")
		asked = why == nil
		return 0, 0, false
	}, Log: slog.New(slog.DiscardHandler)})
	require.Equal(t, "cuda", choose(d, "a", "cuda", "", gb).Device)
	require.True(t, asked)
}

// A model that fails on the GPU frees its share, and is named in the log once.
func TestMovedModel(t *testing.T) {
	moved := ""
	log := &strings.Builder{}
	d := devices.New(devices.Options{
		Memory: func(string) (int64, int64, bool) { return 4 * gb, 4 * gb, true },
		Moved:  func(model string) { moved = model }, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	o := choose(d, "a", "cuda", "", 3*gb)
	require.Equal(t, "cpu", choose(d, "b", "cuda", "", gb).Device)
	o.Moved(engines.ErrNoGPU("cuda:0", engines.GPURun, os.ErrInvalid))
	require.Equal(t, "a", moved)
	_, why := d.State("a")
	require.Equal(t, backend.CodeUnsupportedGPU, why.Code)
	require.Equal(t, "cuda", choose(d, "b", "cuda", "", gb).Device)
	require.Contains(t, log.String(), "model=a device=cuda:0 reason=run")
}

// auto is the usual device until another one was measured to be faster, also after a restart.
func TestAuto(t *testing.T) {
	path := filepath.Join(t.TempDir(), "speeds.json")
	d, _ := gpu(t, 24*gb, 24*gb, path)
	require.Equal(t, "cpu", choose(d, "a", "", "", 0).Device)
	require.Equal(t, "cuda:0", choose(d, "w", "auto", "cuda:0", 0).Device)
	d.Measured("a", "cuda:0", 0.01)
	require.Equal(t, "cpu", choose(d, "a", "auto", "", 0).Device, "the CPU was not measured")
	d.Measured("a", "cpu", 0.1)
	d.Measured("a", "cpu", 0)
	require.Equal(t, "cuda:0", choose(d, "a", "auto", "", 0).Device)
	require.Equal(t, "cpu", choose(d, "a", "cpu", "", 0).Device)
	d.Unloaded("a")
	d, _ = gpu(t, 24*gb, 24*gb, path)
	require.Equal(t, "cuda:0", choose(d, "a", "auto", "", 0).Device)
	for range 20 {
		d.Measured("a", "cuda:0", 0.5)
	}
	require.Equal(t, "cpu", choose(d, "a", "auto", "", 0).Device)

	d.Measured("b", "cpu", 0.1)
	d.Measured("b", "cuda:0", 0.01)
	choose(d, "b", "auto", "", 0).Moved(engines.ErrNoGPU("cuda:0", engines.GPURun, os.ErrInvalid))
	require.Equal(t, "cpu", choose(d, "b", "auto", "", 0).Device, "it failed there")

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	d, log := gpu(t, 24*gb, 24*gb, path)
	require.Contains(t, log.String(), "cannot be read")
	require.Equal(t, "cpu", choose(d, "a", "auto", "", 0).Device)
	d.Measured("a", "cpu", 0.1)
	d.Unloaded("a")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.JSONEq(t, `{"a": {"cpu": 0.1}}`, string(raw))
}

// Speeds that could not be stored are stored with the next ones.
func TestSpeedsThatCannotBeStored(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(folder, "speeds.json")
	d, log := gpu(t, 24*gb, 24*gb, path)
	d.Measured("a", "cpu", 0.1)
	d.Unloaded("a")
	require.Contains(t, log.String(), "cannot be stored")
	require.NoError(t, os.Mkdir(folder, 0o700))
	d.Unloaded("b")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.JSONEq(t, `{"a": {"cpu": 0.1}}`, string(raw))
}

func TestNoDevices(t *testing.T) {
	var d *devices.Devices
	o := engines.Options{Model: "a", Device: "cuda"}
	d.Choose(&o, "", 0)
	require.Equal(t, "cuda", o.Device)
	d.Measured("a", "cpu", 1)
	d.Unloaded("a")
	_, why := d.State("a")
	require.Nil(t, why)
}
