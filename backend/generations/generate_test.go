package generations_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestRowAtAcceptance(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	g := l.Submit("  Hello there.\n")
	require.False(t, g.Status.Ended())
	<-entered
	row := l.Stored(g.ID)
	require.Equal(t, backend.StatusGenerating, row.Status)
	require.Equal(t, "Hello there.", row.Text, "trimmed")
	require.Empty(t, row.AudioPath)
	require.Zero(t, row.Duration)
	require.Equal(t, int64(1), row.Seed, "the seed is known from the start")
	require.Equal(t, "Anna", row.ProfileName)
	require.NotNil(t, row.Chunks)
	require.Equal(t, backend.SourceLocal, row.Source)
	open()
	row = l.Becomes(g.ID, backend.StatusComplete)
	require.NotEmpty(t, row.AudioPath)
}

func TestStatesFollowTheTable(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Models.BeforeAcquire = func(_ context.Context, phase func(backend.Status)) error {
			phase(backend.StatusLoading)
			return nil
		}
	})
	g := l.Speak(l.Request(studiotest.ThreeSentences))
	states := l.States(g.ID)
	require.Equal(t, []backend.Status{
		backend.StatusQueued, backend.StatusLoading, backend.StatusGenerating, backend.StatusComplete,
	}, states)
	for i := 1; i < len(states); i++ {
		require.True(t, states[i-1].CanMove(states[i]))
	}
	last := 0.0
	for _, e := range l.Events() {
		require.GreaterOrEqual(t, e.Progress, last, "progress never goes back")
		last = e.Progress
	}
	require.InDelta(t, 1, last, 0)
}

func TestFinishedFile(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request(strings.Repeat(studiotest.ThreeSentences+" ", 8))
	r.MaxChunkChars = new(120)
	g := l.Speak(r)

	requireSameJSON(t, l.Stored(g.ID), g)
	require.Equal(t, []string{g.AudioPath}, l.Files(), "nothing but the finished file is left")
	raw, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	info, err := audio.ProbeWAV(strings.NewReader(string(raw)))
	require.NoError(t, err)
	require.Equal(t, 24000, info.Rate)
	require.Equal(t, 1, info.Channels)
	require.Len(t, raw, 44+2*int(info.Frames), "a whole 16-bit file")
	require.InDelta(t, float64(info.Frames)/24000, g.Duration, 1e-9)
	require.Equal(t, 24000, g.SampleRate)

	studiotest.RequireLevel(t, g.AudioPath, 0.5)
	require.Greater(t, len(g.Chunks), 5)
	end := 0.0
	for _, c := range g.Chunks {
		if end > 0 {
			require.InDelta(t, end+0.35, c.Start, 1e-9, "chunks follow each other")
		}
		require.Greater(t, c.End, c.Start)
		require.Equal(t, 1, c.Takes)
		end = c.End
	}
	require.InDelta(t, g.Duration, end, 1e-9, "the chunks' times add up to the whole")
	requireReceipt(t, g, raw)
}

// requireSameJSON compares what a client would see.
func requireSameJSON(t *testing.T, want, got backend.Generation) {
	t.Helper()
	a, err := json.Marshal(want)
	require.NoError(t, err)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(a), string(b))
}

func requireReceipt(t *testing.T, g backend.Generation, raw []byte) {
	t.Helper()
	r := g.Receipt
	require.NotNil(t, r)
	sum := sha256.Sum256(raw)
	require.Equal(t, hex.EncodeToString(sum[:]), r.AudioSHA256, "of the very file")
	require.Equal(t, "1.2.3", r.AppVersion)
	require.Equal(t, "fixture", r.Engine)
	require.Equal(t, studiotest.BuiltIn, r.ModelName)
	require.Equal(t, "r1", r.ModelRevision)
	require.Equal(t, []backend.FileHash{{Path: "a.onnx", SHA256: "00ff"}}, r.ModelFiles)
	require.Equal(t, g.Voice, r.Voice)
	require.Equal(t, g.Language, r.Language)
	require.Equal(t, g.Seed, r.Seed)
	require.InDelta(t, g.Speed, r.Speed, 0)
	require.Equal(t, g.Text, r.SpokenText)
	require.Equal(t, "cpu", r.Device)
	require.Equal(t, 1, r.Threads)
	require.Equal(t, map[string]string{"fixture": "1"}, r.Runtimes)
	require.True(t, r.Reproducible)
	require.NotNil(t, r.DroppedTags)
	require.Less(t, r.GainDB, 0.0, "the fixture is louder than the goal")
	for _, stage := range []string{"load", "speak", "write"} {
		require.GreaterOrEqual(t, r.Seconds[stage], 0.0)
		require.Contains(t, r.Seconds, stage)
	}
	for _, name := range []string{"normalize", "max_chunk_chars", "crossfade_ms", "format"} {
		require.Contains(t, r.Parameters, name)
	}
	require.Len(t, r.Chunks, len(g.Chunks))
	seen := map[int64]bool{g.Seed: true}
	for i, c := range r.Chunks {
		require.Equal(t, g.Chunks[i].Text, c.Text)
		require.False(t, seen[c.Seed], "every chunk has a seed of its own")
		require.GreaterOrEqual(t, c.Seed, int64(0))
		require.Less(t, c.Seed, int64(1)<<31)
		seen[c.Seed] = true
	}
}

func TestSeeds(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	sound := func(seed int64) (string, []backend.ReceiptChunk) {
		r := l.Request(studiotest.ThreeSentences)
		r.Seed = &seed
		g := l.Speak(r)
		require.Equal(t, seed, g.Seed)
		raw, err := os.ReadFile(g.AudioPath)
		require.NoError(t, err)
		return string(raw), g.Receipt.Chunks
	}
	first, chunks := sound(7)
	again, sameChunks := sound(7)
	other, otherChunks := sound(8)
	require.True(t, first == again, "the same seed gives the same bytes")
	require.Equal(t, chunks, sameChunks, "chunk seeds are derived from the seed")
	require.False(t, first == other, "another seed gives another take")
	require.NotEqual(t, chunks, otherChunks)
	largest, _ := sound(math.MaxInt32)
	zero, _ := sound(0)
	require.False(t, largest == zero)
}

func TestChunkThatTheEngineCannotSpeakIsLeftOut(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{})) // it knows no Aegean numbers
	g := l.Speak(l.Request("\U00010107. [pause 0.1s] Words follow."))
	require.Len(t, g.Chunks, 1)
	require.Equal(t, "Words follow.", g.Chunks[0].Text)
	_, err := l.Generations.Generate(t.Context(), l.Request("\U00010107. [pause 0.1s] \U00010108."))
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)
}

func TestRefusedBeforeARowIsMade(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	with := func(change func(*generations.Request)) generations.Request {
		r := l.Request("Hello.")
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		request generations.Request
		code    backend.Code
		invalid string
	}{
		"empty":           {request: l.Request(" \n\t "), invalid: "string_too_short"},
		"too long":        {request: l.Request(strings.Repeat("a", 200_001)), invalid: "string_too_long"},
		"marks only":      {request: l.Request("... !?"), code: backend.CodeNothingToSpeak},
		"pause only":      {request: l.Request("[pause 1s]"), code: backend.CodeNothingToSpeak},
		"unknown profile": {request: generations.Request{ProfileID: "nobody", Text: "Hi."}, code: backend.CodeProfileNotFound},
		"unknown model":   {request: with(func(r *generations.Request) { r.ModelName = "x" }), code: backend.CodeModelUnknown},
		"unknown format":  {request: with(func(r *generations.Request) { r.Format = "exe" }), code: backend.CodeUnsupportedMedia},
		"unknown voice":   {request: with(func(r *generations.Request) { r.Voice = studiotest.Robot + ":9" }), invalid: "enum"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.Generations.Submit(t.Context(), c.request)
			if c.invalid != "" {
				var invalid *backend.ValidationError
				require.ErrorAs(t, err, &invalid)
				require.Equal(t, c.invalid, invalid.Fields[0].Type)
			} else {
				backendtest.RequireCode(t, c.code, err)
			}
			list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
			require.NoError(t, err)
			require.Zero(t, list.Total)
		})
	}
	l.Speak(l.Request(strings.Repeat("a", 199) + "." + strings.Repeat(" ", 200_000))) // limits count after trimming
}

// TestAcceptLicense accepts the licence of the model that speaks, only when the caller says so and nothing else is in the way.
func TestAcceptLicense(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	missing := backend.E(backend.CodeRuntimeMissing, "The engine is missing.", "Install it.")
	unlicensed := backend.E(backend.CodeLicenseNotAccepted, "The licence is not accepted.", "Accept it.")
	l.Models.BeforeAcquire = func(context.Context, func(backend.Status)) error { return missing }
	r := l.Request("Hello.")
	r.Voice, r.AcceptLicense = studiotest.Robot+":1", true
	_, err := l.Generations.Generate(t.Context(), r)
	require.ErrorIs(t, err, missing)
	require.Nil(t, l.Models.Accepted.Load(), "nothing is fetched for an engine that is not here")

	l.Models.BeforeAcquire = func(context.Context, func(backend.Status)) error {
		if l.Models.Accepted.Load() == nil {
			return unlicensed
		}
		return nil
	}
	r.AcceptLicense = false
	_, err = l.Generations.Generate(t.Context(), r)
	require.ErrorIs(t, err, unlicensed)
	r.AcceptLicense = true
	g := l.Speak(r)
	require.Equal(t, studiotest.Robot, l.Models.Accepted.Load())
	require.True(t, l.Stored(g.ID).Request.AcceptLicense, "retry knows it")
}
