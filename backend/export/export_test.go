package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

var update = flag.Bool("update", false, "write the golden files")

// export returns name and content of an exported file, and requires that nothing is left of it.
func (l *library) export(id, format string) (string, []byte) {
	l.t.Helper()
	before := l.files()
	e, err := l.exports.Generation(l.t.Context(), id, format, audio.ExportOptions{})
	require.NoError(l.t, err)
	raw, err := os.ReadFile(e.Path)
	require.NoError(l.t, err)
	e.Close()
	require.Equal(l.t, before, l.files(), "only the export file is removed")
	return e.Name, raw
}

func TestExportWAVWithMetadata(t *testing.T) {
	l := newLibrary(t)
	r := l.request(threeSentences)
	r.Title = "Grüße / an: alle?"
	g := l.speak(r)
	stored, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	name, raw := l.export(g.ID, "wav")
	require.Equal(t, "Grüße - an- alle.wav", name)

	require.Equal(t, stored[44:], raw[44:len(stored)], "the samples are unchanged")
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Len(t, b.Samples, (len(stored)-44)/2)
	at := bytes.Index(raw, []byte("LIST"))
	require.Equal(t, len(stored), at)
	info := string(raw[at:])
	require.Contains(t, info, "INAM")
	require.Contains(t, info, "Grüße / an: alle?\x00")
	require.Contains(t, info, "Anna\x00")
	require.Contains(t, info, "synthetic speech")
	if program, err := exec.LookPath("ffprobe"); err == nil {
		file := filepath.Join(t.TempDir(), "tagged.wav")
		require.NoError(t, os.WriteFile(file, raw, 0o600))
		out, err := exec.CommandContext(t.Context(), program, "-v", "error", "-show_entries", "format_tags", file).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "TAG:title=Grüße / an: alle?")
		require.Contains(t, string(out), "TAG:artist=Anna")
	}
}

func TestExportSubtitles(t *testing.T) {
	l := newLibrary(t)
	g := l.speak(l.request("First, a short one. [pause 1.25s] Then 2 < 3 & such --> here.\nAnd a new line. [pause 2s]"))
	for _, format := range []string{"srt", "vtt"} {
		name, raw := l.export(g.ID, format)
		require.Equal(t, "."+format, filepath.Ext(name))
		golden := filepath.Join("testdata", "times."+format)
		if *update {
			require.NoError(t, os.WriteFile(golden, raw, 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), string(raw))
	}
}

func TestFormats(t *testing.T) {
	l := newLibrary(t)
	require.NoError(t, l.options.Encoder.Ready(t.Context(), "mp3"), "the set-up installs ffmpeg")
	marks := map[string]string{"flac": "fLaC", "mp3": "ID3", "opus": "OggS", "m4a": "ftyp", "wav": "RIFF"}
	plain := l.speak(l.request(threeSentences))
	for _, format := range []string{"flac", "mp3", "opus", "m4a"} {
		r := l.request(threeSentences)
		r.Format = format
		g := l.speak(r)
		require.Equal(t, format, g.Format)
		require.Equal(t, "."+format, filepath.Ext(g.AudioPath))
		require.InDelta(t, plain.Duration, g.Duration, 1e-9)
		raw, err := os.ReadFile(g.AudioPath)
		require.NoError(t, err)
		require.Contains(t, string(raw[:16]), marks[format])
		sound, err := audio.FindCodecs().Decode(t.Context(), g.AudioPath)
		require.NoError(t, err)
		require.InDelta(t, g.Duration, sound.Duration().Seconds(), 0.1)
		for _, to := range []string{"", "wav", "mp3", "flac"} {
			name, out := l.export(g.ID, to)
			if to == "" {
				to = format
			}
			require.Equal(t, "."+to, filepath.Ext(name))
			require.Contains(t, string(out[:16]), marks[to], "%s to %s", format, to)
		}
		peaks, err := l.speech.Generations.Archive.Peaks(t.Context(), g.ID, 50)
		require.NoError(t, err)
		require.Len(t, peaks, 50)
	}
	_, mp3 := l.export(plain.ID, "mp3")
	require.Contains(t, string(mp3[:512]), "synthetic speech")
	require.Len(t, l.files(), 5, "a finished file for each and nothing else")
}

func TestExportErrors(t *testing.T) {
	l := newLibrary(t)
	g := l.speak(l.request("Hello."))
	for _, format := range []string{"exe", "../../x", "WAV", "mp3 "} {
		_, err := l.exports.Generation(t.Context(), g.ID, format, audio.ExportOptions{})
		requireInvalid(t, "enum", "format", err)
	}
	_, err := l.exports.Generation(t.Context(), "nobody", "wav", audio.ExportOptions{})
	requireCode(t, backend.CodeGenerationNotFound, err)
	require.NoError(t, os.Remove(g.AudioPath))
	_, err = l.exports.Generation(t.Context(), g.ID, "wav", audio.ExportOptions{})
	requireCode(t, backend.CodeAudioMissing, err)
	_, err = l.speech.Generations.Archive.Peaks(t.Context(), g.ID, 10)
	requireCode(t, backend.CodeAudioMissing, err)
	require.Empty(t, l.files())
}

func TestExportZip(t *testing.T) {
	l := newLibrary(t)
	speak := func(title string) string {
		r := l.request("Some words.")
		r.Title = title
		return l.speak(r).ID
	}
	ids := []string{
		speak("Same"), speak("Same"), speak("same"), speak("Same 2"), speak("../../etc/passwd"), speak("...."), speak("CON"),
		speak(strings.Repeat("très long ", 19)), speak("日本語の題名"),
	}
	missing := l.speak(l.request("Missing."))
	require.NoError(t, os.Remove(missing.AudioPath))
	var out bytes.Buffer
	require.NoError(t, l.exports.Zip(t.Context(), &out, append(ids, missing.ID), nil, "wav", audio.ExportOptions{}))
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, f := range z.File {
		require.False(t, seen[strings.ToLower(f.Name)], "%s is in the zip twice", f.Name)
		seen[strings.ToLower(f.Name)] = true
		require.True(t, filepath.IsLocal(f.Name), f.Name)
		require.NotContains(t, f.Name, "/")
		require.Less(t, len(f.Name), 200)
		require.WithinDuration(t, time.Now(), f.Modified, time.Hour, "when it was made")
		r, err := f.Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		if f.Name == "missing.txt" {
			require.Contains(t, string(raw), missing.ID)
			continue
		}
		_, err = audio.ReadWAV(bytes.NewReader(raw))
		require.NoError(t, err)
	}
	require.Len(t, z.File, len(ids)+1)
	require.True(t, seen["same.wav"] && seen["same 2.wav"] && seen["same 3.wav"] && seen["日本語の題名.wav"])
	require.True(t, seen["_con.wav"], "no name that Windows takes for a device")
	err = l.exports.Zip(t.Context(), io.Discard, []string{"nobody"}, nil, "wav", audio.ExportOptions{})
	requireCode(t, backend.CodeGenerationNotFound, err)
	require.Len(t, l.files(), len(ids))
}

func TestExportIndex(t *testing.T) {
	l := newLibrary(t)
	index := func(format string) string {
		var out bytes.Buffer
		require.NoError(t, l.exports.Index(t.Context(), &out, backend.GenerationFilter{}, format))
		return out.String()
	}
	rows, err := csv.NewReader(strings.NewReader(index("csv"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1, "an empty history has a header")
	require.JSONEq(t, "[]", index("json"))

	texts := []string{`=HYPERLINK("http://x")`, "+1 plus", "-1 minus", "@at sign", "quotes \" and\nlines, too"}
	for _, s := range texts {
		r := l.request(s)
		r.Title = s
		l.speak(r)
	}
	rows, err = csv.NewReader(strings.NewReader(index("csv"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(texts))
	for _, row := range rows[1:] {
		for i, cell := range row {
			require.False(t, cell != "" && strings.ContainsRune("=+-@", rune(cell[0])),
				"a spreadsheet would run %s: %s", rows[0][i], cell)
		}
	}
	var list []backend.Generation
	require.NoError(t, json.Unmarshal([]byte(index("json")), &list))
	require.Len(t, list, len(texts))
	require.Equal(t, texts[0], list[len(list)-1].Text, "json needs no guard")
}

func TestIndexOfManyPages(t *testing.T) {
	l := newLibrary(t)
	for i := range backend.MaxPageLimit + 3 {
		_, err := l.db.CreateGeneration(t.Context(), backend.Generation{Text: "row", Seed: int64(i)})
		require.NoError(t, err)
	}
	var out bytes.Buffer
	require.NoError(t, l.exports.Index(t.Context(), &out, backend.GenerationFilter{}, "csv"))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+backend.MaxPageLimit+3)
}

// TestZipSize covers formats that may take much more space than the stored one.
func TestZipSize(t *testing.T) {
	l := newLibrary(t)
	r := l.request(threeSentences)
	r.Format = "opus"
	g := l.speak(r)
	for _, format := range []string{"", "wav", "flac", "mp3"} {
		need, err := l.exports.ZipSize(t.Context(), []string{g.ID}, format, audio.ExportOptions{})
		require.NoError(t, err)
		_, raw := l.export(g.ID, format)
		const overhead = 2 << 10 // tags
		require.GreaterOrEqual(t, need+overhead, 2*int64(len(raw)), "as %q", format)
	}
}
