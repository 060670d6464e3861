package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The page of a machine without a card: the processor is tried, and what happens without the card.
func TestPageWithoutACard(t *testing.T) {
	program, err := programtest.Build(t.TempDir(), programtest.Module)
	require.NoError(t, err)
	t.Setenv("VOICEWRIGHT_ORT", enginetest.Library(t))
	root, keep := enginetest.Root(t), filepath.Join(t.TempDir(), "sounds")
	var page strings.Builder
	require.NoError(t, run(t.Context(), []string{
		"-voice", filepath.Join(root, "app", "testdata", "en_US-tone-medium"), "-keep", keep,
		"-listener", filepath.Join(root, "engines", "whisper", "whispertest", "testdata", "ggml-plain.bin.gz"), program,
	}, &page), page.String())
	for _, want := range []string{
		"device   cpu: ", "no GPU: only CPU tried", "\npiper: voice, ", "  cpu      on cpu: loaded in ",
		"verdict  ok: without the card cuda:63 the CPU speaks the same: This build cannot run models on cuda:63.",
		"\nwhisper: listener, ", "verdict  ok: without the card cuda:63 the CPU hears the same: ",
	} {
		require.Contains(t, page.String(), want)
	}
	require.NotContains(t, page.String(), "FAILED")
	require.FileExists(t, filepath.Join(keep, "voice-cpu.wav"))
	require.Less(t, strings.Count(page.String(), "\n"), 40, "it is one page")
}

// A card that does not do the work is a verdict, and an exit status.
func TestPageOfACardThatFails(t *testing.T) {
	program, err := programtest.Build(t.TempDir(), programtest.Module)
	require.NoError(t, err)
	t.Setenv("VOICEWRIGHT_ORT", enginetest.Library(t))
	var page strings.Builder
	voice := filepath.Join(enginetest.Root(t), "app", "testdata", "en_US-tone-medium")
	require.ErrorIs(t, run(t.Context(), []string{"-device", "cuda", "-voice", voice, program}, &page), errFailed)
	require.Contains(t, page.String(), "verdict  FAILED: cuda does not speak with this model, the CPU did: ")
	require.Contains(t, page.String(), "correlation 1.0000")
	require.Error(t, run(t.Context(), nil, &page))
	require.Error(t, run(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, &page))
}

func TestCompare(t *testing.T) {
	tone := func(frequency, gain float64, samples, late int) audio.Buffer {
		b := audio.Buffer{Samples: make([]float32, samples), Rate: 8000, Channels: 1}
		for i := late; i < samples; i++ {
			at := float64(i - late)
			b.Samples[i] = float32(gain * math.Sin(at*frequency/1000) * math.Cos(at*at/1e7))
		}
		return b
	}
	processor := tone(300, 0.5, 8000, 0)
	for name, c := range map[string]struct {
		card audio.Buffer
		same bool
	}{
		"the same":      {processor, true},
		"a bit late":    {tone(300, 0.5, 8000, 20), true},
		"quieter":       {tone(300, 0.3, 8000, 0), false},
		"another sound": {tone(310, 0.5, 8000, 0), false},
		"shorter":       {tone(300, 0.5, 7000, 0), false},
		"silence":       {audio.Buffer{Samples: make([]float32, 8000), Rate: 8000, Channels: 1}, false},
		"nothing":       {audio.Buffer{Rate: 8000, Channels: 1}, false},
	} {
		require.Equal(t, c.same, compare(processor, c.card).same(), "%s: %s", name, compare(processor, c.card))
	}
}
