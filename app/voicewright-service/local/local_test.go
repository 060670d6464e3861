package local

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// newEngines opens the engines on an empty models directory, which nothing but the test changes.
func newEngines(t *testing.T) (e *Engines, modelsDir string) {
	t.Helper()
	t.Setenv("VOICEWRIGHT_ORT", enginetest.Library(t))
	modelsDir = filepath.Join(t.TempDir(), "models")
	e, err := Open(t.Context(), modelsDir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close(context.Background())) })
	return e, modelsDir
}

// noPresets is a store of profiles that stores nothing.
type noPresets struct{}

func (noPresets) AddPresets(context.Context, []backend.Preset) ([]backend.Profile, error) {
	return nil, nil
}

func (noPresets) RestorePresets(context.Context, []backend.Preset) ([]backend.Profile, error) {
	return nil, nil
}

// importModels imports tiny models of all engines into the directory as voicewright does. Each voice is female.
func importModels(t *testing.T, modelsDir string) {
	t.Helper()
	client, err := hub.New(hub.NewCache(modelsDir, ""), hub.Options{Offline: func() bool { return true }})
	require.NoError(t, err)
	defer client.Close()
	runtime, phonemizer, builtIn := onnx.New(onnx.Options{Path: enginetest.Library(t)}), espeak.NewPhonemizer(), espeak.New()
	defer func() { require.NoError(t, phonemizer.Close()) }()
	list := filepath.Join(filepath.Dir(modelsDir), "models.json")
	manager, err := models.New(models.Options{
		Hub: client, Registry: list, BuiltIn: builtIn, Presets: noPresets{},
		Drivers: []engines.Driver{
			piper.NewDriver(runtime, phonemizer), kokoro.NewDriver(runtime, nil, phonemizer), supertonic.NewDriver(runtime),
		},
		Memory: func() (int64, int64, bool) { return 0, 0, false }, Resident: func() int64 { return 0 },
		IdleUnload: func() time.Duration { return 0 }, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	folders := enginetest.KitModels(t)
	delete(folders, "kitten")
	for engine, folder := range folders {
		_, err := manager.Import(t.Context(), folder, engine, "my-"+engine)
		require.NoError(t, err, engine)
	}
	require.NoError(t, manager.Close(context.Background()))
	raw, err := os.ReadFile(list)
	require.NoError(t, err)
	entries, err := registry.Parse(raw)
	require.NoError(t, err)
	for _, e := range entries {
		for i := range e.Voices {
			e.Voices[i].Gender = "female"
		}
	}
	raw, err = registry.Format(entries)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(list, raw, 0o600))
}

// natives returns the own names of a provider's voices.
func natives(t *testing.T, p service.Provider) (names []string) {
	t.Helper()
	voices, err := p.Voices(t.Context())
	require.NoError(t, err)
	for _, v := range voices {
		names = append(names, v.Native)
	}
	return names
}

// TestModelsAreFoundWhileTheServiceRuns offers the voices of espeak-ng, then those of models that the operator adds, speaks with
// each engine.
func TestModelsAreFoundWhileTheServiceRuns(t *testing.T) {
	e, dir := newEngines(t)
	a, b, c := e.Providers[service.ProviderA], e.Providers[service.ProviderB], e.Providers[service.ProviderC]
	for _, p := range []service.Provider{a, b, c} {
		require.Contains(t, natives(t, p), "espeak:en-us")
	}
	importModels(t, dir)
	added := func(p service.Provider, native string) bool { return slices.Contains(natives(t, p), native) }
	require.Eventually(t, func() bool {
		return added(a, "supertonic:F1") && added(b, "kokoro:af_heart") && added(c, "my-piper:0")
	}, time.Minute, 100*time.Millisecond)
	require.ElementsMatch(t, []string{"kokoro:af_heart", "kokoro:af_bella", "kokoro:bf_emma", "kokoro:ff_siwis"}, natives(t, b))
	require.Contains(t, natives(t, c), "espeak:en-us")

	encoder := encode.New(audio.FindCodecs())
	const text = "Dr. Smith paid $3.50 on March 3rd. [laughs] He was very pleased with it."
	for native, p := range map[string]service.Provider{
		"supertonic:F1": a, "kokoro:bf_emma": b, "kokoro:ff_siwis": b, "my-piper:0": c, "espeak:en-gb": c,
	} {
		voices, err := p.Voices(t.Context())
		require.NoError(t, err)
		for _, v := range voices {
			if v.Native != native {
				continue
			}
			sound, err := p.Speak(t.Context(), service.Speech{
				Turns: []service.Turn{{Voice: v, Text: text}}, Settings: service.VoiceSettings{Speed: 1},
			})
			require.NoError(t, err, native)
			require.Greater(t, sound.Duration().Seconds(), 1.0, native)
			m := audio.NewMeter(sound.Rate, sound.Channels)
			m.Write(sound.Samples)
			lufs, ok := m.Integrated()
			require.True(t, ok, native)
			require.InDelta(t, audio.TargetLUFS, lufs, 1.5, native) // a tone of a tiny graph may have peaks that keep it quieter
			var pcm bytes.Buffer
			require.NoError(t, encoder.Encode(t.Context(), sound, service.PCM16000, &pcm))
			require.InDelta(t, sound.Duration().Seconds(), float64(pcm.Len())/32000, 0.01)
			native = ""
		}
		require.Empty(t, native, "it was not listed")
	}
}

// TestEnginesOpenNoConnection keeps even a hub of the environment unused.
func TestEnginesOpenNoConnection(t *testing.T) {
	hubListener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = hubListener.Close() }()
	connected := make(chan struct{}, 1)
	go func() {
		if conn, err := hubListener.Accept(); err == nil {
			_ = conn.Close()
			connected <- struct{}{}
		}
	}()
	t.Setenv("HF_ENDPOINT", "http://"+hubListener.Addr().String())
	e, _ := newEngines(t)
	for _, p := range e.Providers {
		require.NotEmpty(t, natives(t, p))
	}
	_, err = e.models.AcquireDownloaded(t.Context(), "kokoro")
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	_, err = e.models.Acquire(t.Context(), "kokoro", nil)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	_, err = e.models.Download(t.Context(), "kokoro", true)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	require.Empty(t, connected)
}

// TestWithoutONNXRuntime speaks with espeak-ng alone and logs what to install.
func TestWithoutONNXRuntime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "models")
	importModels(t, dir)
	t.Setenv("VOICEWRIGHT_ORT", filepath.Join(t.TempDir(), "missing"))
	var log bytes.Buffer
	e, err := Open(t.Context(), dir, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close(context.Background())) }()
	require.Contains(t, log.String(), "install ONNX Runtime")
	for _, p := range e.Providers {
		require.Contains(t, natives(t, p), "espeak:en-us")
	}
}
