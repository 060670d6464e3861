package audio_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// joinMP3 joins files and returns the path of the result.
func joinMP3(t testing.TB, end time.Duration, parts ...audio.MP3Part) (string, audio.JoinedMP3) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "joined.mp3")
	f, err := os.Create(path)
	require.NoError(t, err)
	joined, err := audio.JoinMP3(t.Context(), f, parts, end)
	require.NoError(t, err)
	at, err := f.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	require.Equal(t, info.Size(), at, "the position is the end")
	require.NoError(t, f.Close())
	return path, joined
}

// decodeQuietly decodes a file with ffmpeg, which must have nothing to say about it.
func decodeQuietly(t testing.TB, path string) audio.Buffer {
	t.Helper()
	wav := path + ".wav"
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "warning", "-i", path, wav).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	return readMedia(t, wav)
}

func readMedia(t testing.TB, path string) audio.Buffer {
	t.Helper()
	b, err := audio.FindCodecs().Decode(t.Context(), path)
	require.NoError(t, err)
	return b
}

// The parts' samples are where the spans say, whoever decodes the joined file, and silence is between them.
func TestJoinMP3(t *testing.T) {
	t.Parallel()
	hosted := func(name string, from string, more ...string) string {
		args := append([]string{"-ss", from, "-t", "1.3", "-i", "testdata/speech/jfk.wav", "-ac", "1", "-ar", "44100", "-b:a", "128k"}, more...)
		return makeMedia(t, name+".mp3", args...)
	}
	stereo := func(name, from string) string {
		return makeMedia(t, name+".mp3", "-ss", from, "-t", "1", "-i", "testdata/speech/jfk.wav", "-ac", "2", "-ar", "22050", "-q:a", "5")
	}
	for name, paths := range map[string][]string{
		"hosted":      {hosted("a", "0.3"), hosted("b", "3.4"), hosted("c", "5")},
		"without tag": {hosted("a", "0.3", "-write_xing", "0"), hosted("b", "3.4", "-write_xing", "0", "-id3v2_version", "0"), hosted("c", "5")},
		"stereo":      {stereo("a", "0.3"), stereo("b", "3.4"), stereo("c", "5")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, joined := joinMP3(t, 300*time.Millisecond,
				audio.MP3Part{Path: paths[0]}, audio.MP3Part{Path: paths[1], Pause: 500 * time.Millisecond}, audio.MP3Part{Path: paths[2]})
			byFFmpeg, own := decodeQuietly(t, path), readMP3(t, openFile(t, path))
			require.Equal(t, joined.Frames, int64(byFFmpeg.Frames()))
			require.Equal(t, joined.Frames, int64(own.Frames()))
			require.Equal(t, joined.Rate, own.Rate)
			info, err := audio.ProbeMP3(openFile(t, path))
			require.NoError(t, err)
			require.Equal(t, joined.Info, info)
			seconds := func(frames int64) float64 { return float64(frames) / float64(joined.Rate) }
			require.InDelta(t, 0.5, seconds(joined.Spans[1].Start-joined.Spans[0].End), 0.0135, "to half a frame")
			require.Less(t, seconds(joined.Spans[2].Start-joined.Spans[1].End), 0.08, "the silence of the encoder")
			if name != "without tag" {
				require.InDelta(t, 0.3, seconds(joined.Frames-joined.Spans[2].End), 0.0001)
				require.Zero(t, joined.Spans[0].Start)
			}
			for i, p := range paths {
				want, span := readMedia(t, p), joined.Spans[i]
				require.Equal(t, int64(want.Frames()), span.End-span.Start)
				for _, got := range []audio.Buffer{byFFmpeg, own} {
					part := got.Samples[span.Start*int64(got.Channels) : span.End*int64(got.Channels)]
					require.Greater(t, noise(want.Samples, part), 45.0, i)
				}
			}
			gap := own.Samples[joined.Spans[0].End*int64(own.Channels)+2000 : joined.Spans[1].Start*int64(own.Channels)-2000]
			require.Less(t, rms(gap), 1e-4, "silence")
		})
	}
}

// One part is itself, and a pause before it is heard.
func TestJoinOneMP3(t *testing.T) {
	t.Parallel()
	source := kitFile(t, "compressed/vbr-id3-44k-stereo.mp3")
	path, joined := joinMP3(t, 0, audio.MP3Part{Path: source})
	want := readMedia(t, source)
	require.Equal(t, []audio.Span{{Start: 0, End: int64(want.Frames())}}, joined.Spans)
	require.Greater(t, noise(want.Samples, decodeQuietly(t, path).Samples), 70.0)
	_, joined = joinMP3(t, 0, audio.MP3Part{Path: source, Pause: time.Second})
	require.InDelta(t, 44100, joined.Spans[0].Start, 577)
	require.Equal(t, int64(want.Frames()), joined.Spans[0].End-joined.Spans[0].Start)
}

func TestJoinMP3Refuses(t *testing.T) {
	t.Parallel()
	mono, stereo := kitFile(t, "compressed/mono-24k.mp3"), kitFile(t, "compressed/vbr-id3-44k-stereo.mp3")
	var out bytes.Buffer
	for _, paths := range [][]string{{mono, stereo}, {kitFile(t, "compressed/opus.ogg")}, {}} {
		var parts []audio.MP3Part
		for _, p := range paths {
			parts = append(parts, audio.MP3Part{Path: p})
		}
		_, err := audio.JoinMP3(t.Context(), seeker{&out}, parts, 0)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), paths)
	}
	_, err := audio.JoinMP3(t.Context(), seeker{&out}, []audio.MP3Part{{Path: mono + "x"}}, 0)
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = audio.JoinMP3(ctx, seeker{&out}, []audio.MP3Part{{Path: mono}}, 0)
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// seeker is a writer that pretends to seek.
type seeker struct{ io.Writer }

func (seeker) Seek(int64, int) (int64, error) { return 0, nil }
