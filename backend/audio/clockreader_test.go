package audio_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// soundSpans returns where the samples at 16 kHz are loud, in seconds. Silence shorter than 0.3 s does not end a span.
func soundSpans(samples []float32) (spans [][2]float64) {
	last := -1.0
	for i, x := range samples {
		if x < 0.05 && x > -0.05 {
			continue
		}
		at := float64(i) / 16000
		if last < 0 || at-last > 0.3 {
			spans = append(spans, [2]float64{at, at})
		}
		spans[len(spans)-1][1] = at
		last = at
	}
	return spans
}

// tone are the arguments of ffmpeg for a tone of some seconds, and picture those for a video.
func tone(seconds string) []string {
	return []string{"-f", "lavfi", "-i", "sine=f=440:r=44100:d=" + seconds}
}

func picture(seconds string) []string {
	return []string{"-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=" + seconds}
}

func joined(lists ...[]string) (out []string) {
	for _, list := range lists {
		out = append(out, list...)
	}
	return out
}

// TestSoundIsAtItsTime has the sound of files whose audio starts late, or is missing for a while, at the time at which a player
// plays it, and that of all others where it was.
func TestSoundIsAtItsTime(t *testing.T) {
	const gap = "aselect='lt(t,1)+gte(t,3)'"
	late := joined(picture("5"), []string{"-itsoffset", "2"}, tone("2"), []string{"-c:v", "mpeg4"})
	cover := joined([]string{"-f", "lavfi", "-i", "color=s=64x64:d=0.04"}, tone("2"),
		[]string{"-map", "1:a", "-map", "0:v", "-c:v", "mjpeg", "-frames:v", "1", "-disposition:v", "attached_pic"})
	for _, c := range []struct {
		name  string
		args  []string
		spans [][2]float64
	}{
		{"late.mp4", late, [][2]float64{{2, 4}}},
		{"late.mov", joined(late, []string{"-c:a", "pcm_s16le"}), [][2]float64{{2, 4}}},
		{"late.mkv", late, [][2]float64{{2, 4}}},
		{"late.ts", joined(late, []string{"-c:v", "mpeg2video"}), [][2]float64{{2, 4}}},
		{"hours.ts", joined(late, []string{"-c:v", "mpeg2video", "-output_ts_offset", "40000"}), [][2]float64{{2, 4}}},
		{"late.flv", joined(late, []string{"-c:v", "flv"}), [][2]float64{{2, 4}}},
		{"gap.mkv", joined(picture("4"), tone("4"), []string{"-c:v", "mpeg4", "-af", gap}), [][2]float64{{0, 1}, {3, 4}}},
		{"gap.ts", joined(tone("4"), []string{"-c:a", "mp2", "-af", gap}), [][2]float64{{0, 1}, {3, 4}}},
		{"paused.webm", joined(tone("4"), []string{"-c:a", "libopus", "-af", gap}), [][2]float64{{0, 1}, {3, 4}}},
		{"tracks.mkv", joined(tone("4"), []string{"-itsoffset", "2"}, tone("2"), []string{"-map", "1:a", "-map", "0:a"}), [][2]float64{{2, 4}}},

		{"cut.webm", joined(tone("2"), []string{"-c:a", "libopus", "-output_ts_offset", "600"}), [][2]float64{{0, 2}}},
		{"cut.mka", joined(tone("2"), []string{"-output_ts_offset", "600"}), [][2]float64{{0, 2}}},
		{"cut.m4a", joined([]string{"-itsoffset", "30"}, tone("2")), [][2]float64{{0, 2}}},
		{"cover.mp3", cover, [][2]float64{{0, 2}}},
		{"cover.m4a", joined(cover, []string{"-c:v", "mjpeg"}), [][2]float64{{0, 2}}},
		{"early.mp4", joined([]string{"-itsoffset", "2"}, picture("2"), tone("2"), []string{"-map", "0:v", "-map", "1:a", "-c:v", "mpeg4"}), [][2]float64{{0, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := streamMono(t, audio.FindCodecs(), makeMedia(t, c.name, c.args...))
			require.NoError(t, err)
			spans := soundSpans(got)
			require.Len(t, spans, len(c.spans), "%v", spans)
			for i, want := range c.spans {
				require.InDelta(t, want[0], spans[i][0], 0.06, "%v", spans)
				require.InDelta(t, want[1], spans[i][1], 0.08, "%v", spans)
			}
			require.InDelta(t, c.spans[len(c.spans)-1][1], float64(len(got))/16000, 0.1)
		})
	}
}

// TestJoinedStreamsLoseNothing reads files that other programs put one behind the other: times begin again, and channels change.
func TestJoinedStreamsLoseNothing(t *testing.T) {
	for _, c := range []struct{ name, first, second string }{
		{"a.ac3", "1", "2"}, {"a.ogg", "1", "1"}, {"a.mp3", "1", "1"}, {"a.ts", "2", "2"}, {"a.aac", "2", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []byte
			for _, channels := range []string{c.first, c.second} {
				raw, err := os.ReadFile(makeMedia(t, c.name, joined(tone("3"), []string{"-ac", channels})...))
				require.NoError(t, err)
				all = append(all, raw...)
			}
			path := filepath.Join(t.TempDir(), c.name)
			require.NoError(t, os.WriteFile(path, all, 0o600))
			got, err := streamMono(t, audio.FindCodecs(), path)
			require.NoError(t, err)
			spans := soundSpans(got)
			require.Len(t, spans, 1, "%v", spans)
			require.InDelta(t, 6, spans[0][1]-spans[0][0], 0.15)
		})
	}
}
