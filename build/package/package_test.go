package main

import (
	"encoding/xml"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract"
)

// TestVersions writes the version of a tree as each format needs it.
func TestVersions(t *testing.T) {
	for version, want := range map[string][2]string{
		"v1.2.3":                        {"1.2.3", "1.2.3.0"},
		"1.2":                           {"1.2", "1.2.0.0"},
		"v1.2.3-rc.1":                   {"1.2.3~rc.1", "1.2.3.0"},
		"v1.2.3-5-gabc1234":             {"1.2.3+5.gabc1234", "1.2.3.5"},
		"v1.2.3-rc.1-5-gabc1234-dirty":  {"1.2.3~rc.1+5.gabc1234.dirty", "1.2.3.5"},
		"0123abc":                       {"0.0.0~git20261129150845.0123abc", "0.0.0.0"},
		"1234567-dirty":                 {"0.0.0~git20261129150845.1234567.dirty", "0.0.0.0"},
		"unknown":                       {"0.0.0~unknown", "0.0.0.0"},
		"0.0.1~git20260101.upgradetest": {"0.0.1~git20260101.upgradetest", "0.0.1.0"},
	} {
		for i, flag := range []string{"--package", "--numbers"} {
			cmd := exec.CommandContext(t.Context(), "bash", "version.sh", flag)
			cmd.Env = append(os.Environ(), "VERSION="+version, "SOURCE_DATE_EPOCH=1795964925")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, want[i], strings.TrimSpace(string(out)), version)
		}
	}
}

// TestIcons draws every size that the package of the window has.
func TestIcons(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "icons")
	require.NoError(t, run(t.Context(), []string{"icons", dir}))
	description, err := os.ReadFile("voicewright-desktop.yaml")
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, strings.Count(string(description), "/apps/voicewright.png"))
	for _, entry := range entries {
		size := strings.TrimSuffix(entry.Name(), ".png")
		require.Contains(t, string(description), "/icons/"+size+".png, dst: /usr/share/icons/hicolor/"+size+"x"+size+"/apps/voicewright.png")
		file, err := os.Open(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		img, err := png.Decode(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, size, strconv.Itoa(img.Bounds().Dx()))
	}
}

// TestOpenWith offers the window for every kind of file that is read as text, and for common audio and video.
func TestOpenWith(t *testing.T) {
	types := map[string]string{ // as shared-mime-info names them
		".txt": "text/plain", ".md": "text/markdown", ".markdown": "text/markdown", ".srt": "application/x-subrip", ".vtt": "text/vtt",
		".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".epub": "application/epub+zip", ".pdf": "application/pdf",
		".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		".docm": "application/vnd.ms-word.document.macroEnabled.12",
		".wav":  "audio/x-wav", ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".m4b": "audio/x-m4b", ".aac": "audio/aac", ".flac": "audio/flac",
		".ogg": "audio/ogg", ".opus": "audio/x-opus+ogg", ".wma": "audio/x-ms-wma", ".aiff": "audio/x-aiff", ".amr": "audio/AMR",
		".mka": "audio/x-matroska", ".mp4": "video/mp4", ".mkv": "video/x-matroska", ".mov": "video/quicktime", ".webm": "video/webm",
		".avi": "video/x-msvideo", ".wmv": "video/x-ms-wmv", ".flv": "video/x-flv", ".mpg": "video/mpeg", ".ogv": "video/ogg", ".3gp": "video/3gpp",
	}
	var own struct {
		Types []struct {
			Type string `xml:"type,attr"`
			Glob struct {
				Pattern string `xml:"pattern,attr"`
			} `xml:"glob"`
		} `xml:"mime-type"`
	}
	text, err := os.ReadFile("mime.xml")
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(text, &own))
	for _, own := range own.Types {
		types[strings.TrimPrefix(own.Glob.Pattern, "*")] = own.Type
	}
	entry, err := os.ReadFile("voicewright.desktop")
	require.NoError(t, err)
	offered := strings.Split(strings.TrimSpace(string(entry[strings.Index(string(entry), "MimeType=")+len("MimeType="):])), ";")
	for ending, kind := range types {
		require.Contains(t, offered, kind, ending)
	}
	for _, ending := range extract.Endings() {
		require.Contains(t, types, ending, "no type")
	}
}
