package audio_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// TestKindsOfFiles reads single files of the kinds that ffmpeg knows; those without a mark are known by their ending.
func TestKindsOfFiles(t *testing.T) {
	video := joined(picture("1"), tone("1"), []string{"-filter:v", "scale=720:576", "-ar", "48000", "-ac", "2"})
	for name, args := range map[string][]string{
		"a.g722": {"-ar", "16000"}, "A.G722": {"-ar", "16000", "-f", "g722"}, "a.sln": {"-ar", "8000", "-f", "s16le"},
		"a.tco":  {"-ar", "8000", "-b:a", "6300", "-f", "g723_1"},
		"a.eac3": nil, "a.dts": {"-c:a", "dca", "-strict", "-2"}, "a.thd": {"-strict", "-2", "-f", "truehd"},
		"a.mlp": {"-strict", "-2", "-f", "mlp"}, "a.latm": {"-c:a", "aac", "-f", "latm"},
		"a.voc": nil, "a.sf": {"-f", "ircam"}, "a.sox": nil, "a.nut": nil, "a.ra": {"-c:a", "ac3", "-f", "rm"},
		"a.mxf": {"-c:v", "mpeg2video"}, "a.wtv": {"-c:v", "mpeg2video", "-c:a", "mp2"}, "a.dv": nil,
	} {
		t.Run(name, func(t *testing.T) {
			in := joined(tone("1"), []string{"-ar", "48000"})
			if ext := filepath.Ext(name); ext == ".mxf" || ext == ".wtv" || ext == ".dv" {
				in = video
			}
			got, err := streamMono(t, audio.FindCodecs(), makeMedia(t, name, joined(in, args)...))
			require.NoError(t, err)
			require.InDelta(t, 16000, len(got), 3200)
			middle := got[4000:12000]
			require.Greater(t, toneAmplitude(middle, 16000, 440)/rms(middle), 1.3, "a tone of 440 Hz")
		})
	}
	got, err := streamMono(t, audio.FindCodecs(), "testdata/kinds/a.gsm") // which ffmpeg cannot write
	require.NoError(t, err)
	require.InDelta(t, 16000, len(got), 400)
	require.Greater(t, rms(got), 0.05)
}

// TestFilesThatNameOthers refuses what could make ffmpeg open other files, whatever the name ends in.
func TestFilesThatNameOthers(t *testing.T) {
	wav, err := filepath.Abs("testdata/speech/jfk.wav")
	require.NoError(t, err)
	for content, names := range map[string]string{
		"ffconcat version 1.0\nfile '" + wav + "'\n":                   "a.ffconcat a.gsm a.mp3 a.rm",
		"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n" + wav + "\n":  "a.m3u8 a.g722 a.rm",
		"v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9": "a.sdp a.sln",
	} {
		for _, name := range strings.Fields(names) {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			got, err := streamMono(t, audio.FindCodecs(), path)
			require.Less(t, len(got), 16000, name)
			if ext := filepath.Ext(name); ext != ".gsm" && ext != ".g722" && ext != ".sln" { // these are samples whatever is in them
				require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), name)
			}
		}
	}
}
