package httpapi_test

import (
	"encoding/binary"
	"math/bits"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// speakerInput is a recording whose speakers are found.
type speakerInput struct {
	sound    []float32
	options  string // the field speakers; empty: auto
	speakers []int  // how many may be found, from and to
	warnings []string
	rate     float64            // the largest error rate, where the truth is known
	truth    []diarizetest.Turn // nil: not known
}

// speakerInputs returns one of each kind of recording that is unlike two people who talk in turn.
func speakerInputs(t *testing.T) map[string]speakerInput {
	minute, truth := diarizetest.Tones(t, 0, 60), diarizetest.Truth(t)
	one := slices.Concat(minute[0:64000], minute[0:64000], minute[0:64000], minute[0:64000], minute[0:64000])
	changed := func(change func(x float64) float64) []float32 {
		out := slices.Clone(minute)
		for i, x := range out {
			out[i] = float32(change(float64(x)))
		}
		return out
	}
	forty, people := diarizetest.People(diarizetest.MostPeople)
	four, none := []int{4, 4}, []int{0, 0}
	return map[string]speakerInput{
		"silence of a second":  {sound: make([]float32, 16000), speakers: none},
		"silence of a minute":  {sound: make([]float32, 60*16000), speakers: none},
		"silence with a count": {sound: make([]float32, 60*16000), options: "3", speakers: none, warnings: []string{"speakers_fewer"}},
		"0.3 s":                {sound: minute[16000:20800], speakers: []int{0, 1}},
		"a second":             {sound: minute[16000:32000], speakers: []int{1, 1}},
		"a second, counted":    {sound: minute[16000:32000], options: "2", speakers: []int{1, 1}, warnings: []string{"speakers_uncounted"}},
		"ten seconds, counted": {sound: minute[:160000], options: "7", speakers: []int{3, 3}, warnings: []string{"speakers_uncounted"}},
		"ten seconds and more": {sound: minute[:161000], options: "3", speakers: []int{3, 3}},
		"one speaker":          {sound: one, speakers: []int{1, 1}},
		"one of three":         {sound: one, options: "3", speakers: []int{1, 3}},
		"more than there are":  {sound: minute, options: "100", speakers: []int{4, 100}, warnings: []string{"speakers_fewer"}},
		"at most two":          {sound: minute, options: `{"mode":"auto","count":2}`, speakers: []int{2, 2}},
		"two at once":          {sound: minute, speakers: four, truth: truth, rate: 0.02},
		"clipped":              {sound: changed(func(x float64) float64 { return min(max(20*x, -1), 1) }), speakers: []int{1, 20}},
		"a little clipped":     {sound: changed(func(x float64) float64 { return min(max(6*x, -1), 1) }), speakers: []int{1, 20}},
		"quiet":                {sound: changed(func(x float64) float64 { return x / 64 }), speakers: []int{0, 4}},
		"offset":               {sound: changed(func(x float64) float64 { return x + 0.5 }), speakers: four, truth: truth, rate: 0.05},
		"music":                {sound: chords(30).Samples, speakers: []int{0, 20}},
		"forty":                {sound: forty, options: "40", speakers: []int{40, 40}, truth: people, rate: 0.02},
		"forty, not counted":   {sound: forty, speakers: []int{2, 20}},
	}
}

func TestSpeakersOfAnyRecording(t *testing.T) {
	t.Parallel()
	ears := newEars(t)
	for name, in := range speakerInputs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wav := audio.PCM16(audio.WAVHeader(16000, 1, uint32(2*len(in.sound))), in.sound)
			in.check(t, ears, wav, "talk.wav")
		})
	}
}

func (in speakerInput) check(t *testing.T, ears *ears, file []byte, name string) {
	t.Helper()
	s := newStudio(t, studioOptions{speakers: ears})
	options := in.options
	if options == "" {
		options = "auto"
	}
	a := s.upload(nil, part{"file", name, string(file)}, part{"speakers", "", options})
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	got := a.object(t)
	require.Equal(t, "complete", got["status"])
	require.Nil(t, got["speakers_error"], a.body)
	require.Nil(t, got["finding_speakers"])
	var codes []string
	for _, w := range got["warnings"].([]any) {
		codes = append(codes, w.(map[string]any)["code"].(string))
	}
	require.Equal(t, in.warnings, codes)

	a = s.do("GET", "/transcriptions/"+got["id"].(string)+"/export?format=rttm", "")
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	found := diarizetest.RTTM(t, a.body)
	var duration float64
	duration, err := got["duration"].(interface{ Float64() (float64, error) }).Float64()
	require.NoError(t, err)
	names := map[string]bool{}
	for _, turn := range found {
		names[turn.Speaker] = true
		require.Less(t, turn.Start, turn.End)
		require.LessOrEqual(t, turn.End, duration+0.001)
	}
	t.Logf("%d speakers, %d turns", len(names), len(found))
	require.GreaterOrEqual(t, len(names), in.speakers[0])
	require.LessOrEqual(t, len(names), in.speakers[1])
	if in.truth != nil {
		errors := diarizetest.Score(in.truth, found)
		t.Log(errors)
		require.Less(t, errors.Rate(), in.rate)
	}
	for _, segment := range got["segments"].([]any) {
		if len(names) == 0 {
			require.Empty(t, segment.(map[string]any)["speaker"])
		}
	}
}

// muLaw returns a sample as ITU-T G.711 codes it for telephones.
func muLaw(x float32) byte {
	const bias, clip = 0x84, 32635
	sign, v := 0, int(x*32767)
	if v < 0 {
		sign, v = 0x80, -v
	}
	v = min(v, clip) + bias
	exponent := bits.Len(uint(v)) - 8
	return ^byte(sign | exponent<<4 | v>>(exponent+3)&0xf)
}

// phone returns a WAV file as telephones record it: mu-law at 8 kHz.
func phone(sound []float32) []byte {
	data := make([]byte, len(sound)/2)
	for i := range data {
		data[i] = muLaw((sound[2*i] + sound[2*i+1]) / 2)
	}
	out := []byte("RIFF")
	out = binary.LittleEndian.AppendUint32(out, uint32(38+len(data)))
	out = append(out, "WAVEfmt \x12\x00\x00\x00\x07\x00\x01\x00"...)
	out = binary.LittleEndian.AppendUint32(out, 8000)
	out = binary.LittleEndian.AppendUint32(out, 8000)
	out = append(out, "\x01\x00\x08\x00\x00\x00data"...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(data))), data...)
}

// Recordings that ffmpeg reads have the same speakers: those of a telephone, and the sound of a video.
func TestSpeakersOfOtherFiles(t *testing.T) {
	t.Parallel()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("needs ffmpeg")
	}
	minute := diarizetest.Tones(t, 0, 60)
	in := speakerInput{speakers: []int{4, 4}, truth: diarizetest.Truth(t), rate: 0.05}
	ears := newEars(t)
	in.check(t, ears, phone(minute), "call.wav")

	dir := t.TempDir()
	sound, video := filepath.Join(dir, "talk.wav"), filepath.Join(dir, "talk.mkv")
	wav := audio.PCM16(audio.WAVHeader(16000, 1, uint32(2*len(minute))), minute)
	require.NoError(t, os.WriteFile(sound, wav, 0o600))
	out, err := exec.CommandContext(t.Context(), ffmpeg, "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=c=red:s=64x64:r=5:d=60",
		"-i", sound, "-c:v", "mpeg4", "-c:a", "aac", "-ar", "48000", "-ac", "2", video).CombinedOutput()
	require.NoError(t, err, string(out))
	raw, err := os.ReadFile(video)
	require.NoError(t, err)
	in.check(t, ears, raw, "talk.mkv")
}
