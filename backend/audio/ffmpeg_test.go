//go:build unix

package audio_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// fakeFFmpeg makes a shell script called ffmpeg the only program on the PATH; $REAL in it is the installed ffmpeg, $BIN its folder.
func fakeFFmpeg(t *testing.T, script string) (bin string) {
	t.Helper()
	real, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)
	bin = t.TempDir()
	script = "#!/bin/sh\nREAL=" + real + "\nBIN=" + bin + "\n" + script
	require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte(script), 0o700))
	t.Setenv("PATH", bin)
	return bin
}

// Every user of a computer may read the arguments of its processes.
func TestArgumentsHaveNoWordsOfTheText(t *testing.T) {
	bin := fakeFFmpeg(t, `for a; do echo "$a" >> $BIN/args; done; exec $REAL "$@"`)
	dir := t.TempDir()
	src, _ := writeClip(t, dir, 24000, 1)
	meta := map[string]string{"title": `Secret = first; #words \ of it`, "artist": "Grandmother", "comment": "voice en-gb"}
	codecs := audio.FindCodecs()
	for _, format := range []string{"flac", "mp3", "opus", "m4a"} {
		require.NoError(t, codecs.Encode(t.Context(), src, filepath.Join(dir, "out."+format), format, meta))
	}
	args, err := os.ReadFile(bin + "/args")
	require.NoError(t, err)
	for _, word := range []string{"Secret", "words", "Grandmother", "en-gb"} {
		require.NotContains(t, string(args), word)
	}
	t.Setenv("PATH", "/usr/bin:/bin:/usr/local/bin")
	for _, format := range []string{"flac", "mp3", "opus", "m4a"} {
		tags := probeTags(t, filepath.Join(dir, "out."+format))
		for _, value := range meta {
			require.Contains(t, tags, value, format)
		}
	}
}

func TestFFmpegThatWritesNothing(t *testing.T) {
	fakeFFmpeg(t, `case "$*" in *-encoders*) exec $REAL "$@";; esac; exit 0`)
	dir := t.TempDir()
	src, _ := writeClip(t, dir, 24000, 1)
	dst := filepath.Join(dir, "out.mp3")
	err := audio.FindCodecs().Encode(t.Context(), src, dst, "mp3", nil)
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
	require.Equal(t, "The ffmpeg on this computer cannot write mp3.", backend.AsError(err).Detail)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "only the source is left")
}

// The script's child holds the pipe, as that of a wrapper may. A caller waits only as long as its context, and an ffmpeg
// that responds later is used.
func TestFFmpegThatHangsWhileItIsProbed(t *testing.T) {
	bin := fakeFFmpeg(t, `read go < $BIN/go; exec $REAL "$@"`)
	require.NoError(t, exec.Command("/usr/bin/mkfifo", bin+"/go").Run())
	codecs := audio.FindCodecs()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.Equal(t, []string{"wav"}, codecs.Encoders(ctx))
	err := codecs.Ready(ctx, "mp3")
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
	require.Equal(t, "The program ffmpeg isn’t responding.", backend.AsError(err).Detail)

	require.NoError(t, os.WriteFile(bin+"/go", []byte("now\n"), 0)) // the probe continues
	require.Contains(t, codecs.Encoders(t.Context()), "mp3")
}

// Seven hours at the lowest rate: more than Decode allows, in little memory.
func TestCompressedAudioOfAnyLengthBecomesWAV(t *testing.T) {
	const frames = 7 * 3600 * audio.MinRate
	dir := t.TempDir()
	src := filepath.Join(dir, "long.wav")
	header := audio.WAVHeader(audio.MinRate, 1, uint32(2*frames))
	require.NoError(t, os.WriteFile(src, header, 0o600))
	require.NoError(t, os.Truncate(src, int64(len(header))+2*frames))
	codecs := audio.FindCodecs()
	flac, wav := filepath.Join(dir, "long.flac"), filepath.Join(dir, "again.wav")
	require.NoError(t, codecs.Encode(t.Context(), src, flac, "flac", nil))

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, codecs.Encode(t.Context(), flac, wav, "wav", map[string]string{"title": "A book"}))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), "for 50 MB of sound")

	f, err := os.Open(wav)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	require.NoError(t, err)
	require.Equal(t, audio.Info{Rate: audio.MinRate, Channels: 1, Frames: frames}, info)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 3)
}
