package moss

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func TestGraphsThatFail(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const frame = 3840
	sample, _ := reference(recording(t, "reference_48k_mono.wav"), "aa", "")
	for name, tt := range map[string]struct {
		role, stage, says string
		nodes             []byte
	}{
		"prompt without numbers":    {RolePrefill, stagePrompt, "NaN", prompted(nan, 16)},
		"prompt of another size":    {RolePrefill, stagePrompt, "hidden states of the shape [1 ", prompted(1, 8)},
		"step without numbers":      {RoleStep, stageStep, "NaN", followed(nan)},
		"a code that is not there":  {RoleFrame, stageFrame, "not from 0 to 1023", chosen(1, 1024)},
		"a code below all":          {RoleFrame, stageFrame, "not from 0 to 1023", chosen(1, -1)},
		"speech that never ends":    {RoleFrame, stageFrame, "limit of 375 steps", chosen(1, 5)},
		"speech that never begins":  {RoleFrame, stageDecode, "only silence", chosen(0, 5)},
		"sound without numbers":     {RoleDecode, stageDecode, "NaN", sounding(t, nan, 2, frame, frame)},
		"sound beyond all numbers":  {RoleDecode, stageDecode, "Inf", sounding(t, inf, 2, frame, frame)},
		"silence":                   {RoleDecode, stageDecode, "only silence", sounding(t, 0, 2, frame, frame)},
		"one channel":               {RoleDecode, stageDecode, "[1 1 3840]", sounding(t, 1, 1, frame, frame)},
		"sound that is not there":   {RoleDecode, stageDecode, "not one number up to 3840", sounding(t, 1, 2, frame, frame+1)},
		"less sound than none":      {RoleDecode, stageDecode, "not one number up to 3840", sounding(t, 1, 2, frame, -1)},
		"a sample without frames":   {RoleEncode, stageEncode, "0 frames", heard(1, 9, 16, 0)},
		"a sample of other codes":   {RoleEncode, stageEncode, "not from 0 to 1023", heard(2000, 9, 16, 9)},
		"codes of a longer sample":  {RoleEncode, stageEncode, "not one number up to 19", heard(1, 5000, 16, 5000)},
		"codes of another codec":    {RoleEncode, stageEncode, "[1 9 8]", heard(1, 9, 8, 9)},
		"codes that are not there":  {RoleEncode, stageEncode, "not one number up to 9", heard(1, 9, 16, 10)},
		"keys and values of others": {RoleStep, stageStep, "", onnxtest.Join(number("global_hidden", 1, onnx.Float32, 1, 1, 16), onnxtest.Node("Identity", "present_key_0", []string{"past_key_0"}), onnxtest.Node("Identity", "present_value_0", []string{"past_value_0"}), onnxtest.Node("Identity", "present_key_1", []string{"past_key_1"}), onnxtest.Node("Identity", "present_value_1", []string{"past_value_1"}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := engines.Utterance{Text: "Hello world."}
			if tt.role == RoleEncode {
				u.Reference = sample
			}
			err := with(t, tt.role, tt.nodes).Speak(t.Context(), u, func(b audio.Buffer) error {
				if tt.role == RoleDecode || tt.role == RolePrefill {
					t.Error("a broken sound is emitted")
				}
				return nil
			})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
			require.Equal(t, tt.stage, backend.AsError(err).Params["stage"])
			require.Equal(t, name == "speech that never ends", engines.IsRunaway(err))
		})
	}
}

// TestLoudSoundIsKeptInScale: what is beyond full scale is cut, as in a file.
func TestLoudSoundIsKeptInScale(t *testing.T) {
	const frame = 3840
	samples := enginetest.Say(t, with(t, RoleDecode, sounding(t, -1000, 2, frame, frame)), engines.Utterance{Text: "Hello."})
	for _, v := range samples {
		require.Equal(t, float32(-1), v)
	}
}

// TestGraphsOfOtherTypes: a graph with another signature is named with its tensor when the model is opened.
func TestGraphsOfOtherTypes(t *testing.T) {
	for name, tt := range map[string]struct {
		role   string
		change func(*onnx.Signature)
		says   string
	}{
		"ids of another type":  {RolePrefill, func(s *onnx.Signature) { s.Inputs[0].Type = onnx.Int64 }, "expected input_ids int32 rank 3, found input_ids int64 rank 3"},
		"a layer more":         {RoleStep, func(s *onnx.Signature) { s.Inputs = append(s.Inputs, float("past_key_2", 4)) }, "requires the input past_key_2"},
		"codes of one row":     {RoleFrame, func(s *onnx.Signature) { s.Outputs[1].Rank = 1 }, "expected frame_token_ids int32 rank 2, found frame_token_ids int32 rank 1"},
		"no state of a cache":  {RoleDecode, func(s *onnx.Signature) { s.Outputs = s.Outputs[:len(s.Outputs)-1] }, "has no output attn_cached_positions_out_11"},
		"sound of one channel": {RoleEncode, func(s *onnx.Signature) { s.Inputs[0].Rank = 2 }, "expected waveform float32 rank 3"},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDriver(library(t))
			files := enginetest.Find(t, d, kit(t, repos))
			want := openKit(t).graphs.config.signatures()[tt.role]
			tt.change(&want)
			files[tt.role] = filepath.Join(t.TempDir(), "other.onnx")
			require.NoError(t, os.WriteFile(files[tt.role], graph(want, onnxtest.Node("Identity", "x", []string{want.Inputs[0].Name})), 0o600))
			_, err := d.Open(t.Context(), files, engines.Options{Threads: 1})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
		})
	}
}

// TestCancelAnywhere cancels after the first groups of frames, after the last of a piece, and in a pause.
func TestCancelAnywhere(t *testing.T) {
	e := openKit(t)
	u := engines.Utterance{Text: strings.Repeat("This is one of several sentences, and it is not short at all. ", 5)}
	pause, groups := 0, 0
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		if onnx.Peak(b.Samples) == 0 {
			pause = groups
		}
		groups++
		return nil
	}))
	for _, calls := range []int{0, 1, pause - 1, pause} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := e.Speak(ctx, u, func(audio.Buffer) error {
			if n++; n > calls {
				cancel()
			}
			return nil
		})
		cancel()
		require.ErrorIs(t, err, backend.ErrCancelled)
		require.Equal(t, calls+1, n)
	}
}
