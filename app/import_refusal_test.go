package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

const tone = "en_US-tone-medium.onnx"

// voiceFolder returns a folder with the files of the fixture voice, changed by change.
func voiceFolder(t *testing.T, change map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{tone, tone + ".json", "MODEL_CARD"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "en_US-tone-medium", name))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		write(t, filepath.Join(dir, name), string(raw))
	}
	for name, raw := range change {
		if raw == nil {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		write(t, filepath.Join(dir, name), string(raw))
	}
	return dir
}

func toneConfig(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "en_US-tone-medium", tone+".json"))
	require.NoError(t, err)
	return string(raw)
}

// inUTF16 returns a text in UTF-16.
func inUTF16(text string, bigEndian bool) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		low, high := byte(u), byte(u>>8)
		if bigEndian {
			low, high = high, low
		}
		out = append(out, low, high)
	}
	return out
}

func TestImportReadsWhatOtherSystemsWrite(t *testing.T) {
	t.Parallel()
	apple := []byte{0, 5, 0x16, 7, 0, 2, 0, 0}
	config := toneConfig(t)
	for name, change := range map[string]map[string][]byte{
		"side files of macOS": {"._" + tone: apple, "._" + tone + ".json": apple, "._MODEL_CARD": apple, ".DS_Store": {}, "__MACOSX/._" + tone: apple},
		"files of Windows":    {"Thumbs.db": {0xd0, 0xcf}, "desktop.ini": []byte("[.ShellClassInfo]")},
		"a mark":              {tone + ".json": []byte("\xef\xbb\xbf" + config)},
		"UTF-16":              {tone + ".json": inUTF16("\ufeff"+config, false)},
		"UTF-16, big endian":  {tone + ".json": inUTF16("\ufeff"+config, true)},
		"UTF-16, no mark":     {tone + ".json": inUTF16(config, false)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			require.Contains(t, u.mustRun("models", "import", voiceFolder(t, change)), "Imported en_us-tone-medium")
			u.mustRun("say", "Hello.", "--voice", "en_us-tone-medium:0", "-o", "a.wav")
		})
	}
}

// The refusal of an import says what the file is, and which one to fetch.
func TestImportNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 63201294\n"
	page := "\n<!DOCTYPE html>\n<html><head><title>en_US-tone-medium.onnx</title></head></html>"
	u := newUser(t)
	for name, c := range map[string]struct {
		change map[string][]byte
		file   string // in the folder that is imported; empty: the folder
		words  []string
	}{
		"a pointer":                {map[string][]byte{tone: []byte(pointer)}, "", []string{tone + " is a Git LFS pointer", "git lfs pull"}},
		"a pointer, by its name":   {map[string][]byte{tone: []byte(pointer)}, tone, []string{tone + " is a Git LFS pointer"}},
		"a pointer as config":      {map[string][]byte{tone + ".json": []byte(pointer)}, "", []string{tone + ".json is a Git LFS pointer"}},
		"a web page":               {map[string][]byte{tone: []byte(page)}, "", []string{tone + " is a saved web page", "download link"}},
		"a web page as config":     {map[string][]byte{tone + ".json": []byte("<!-- saved from url -->" + page)}, "", []string{tone + ".json is a saved web page"}},
		"a page as the only file":  {map[string][]byte{tone: []byte(page), tone + ".json": nil}, "", []string{tone + " is a saved web page"}},
		"an answer of a website":   {map[string][]byte{tone: []byte("Entry not found")}, "", []string{tone + " is a text", "Fetch " + tone}},
		"an empty file":            {map[string][]byte{tone: {}}, "", []string{tone + " is empty", "Fetch " + tone}},
		"a file that is cut off":   {map[string][]byte{tone + ".json": []byte(toneConfig(t)[:500])}, "", []string{tone + ".json is damaged or cut off", "Fetch " + tone + ".json again"}},
		"a config that is missing": {map[string][]byte{tone + ".json": nil}, "", []string{tone + ".json is missing", "Fetch " + tone + ".json from where the other files came from"}},
		"a graph that is missing":  {map[string][]byte{tone: nil}, "", []string{tone + " is missing", "Fetch " + tone}},
		"a pointer for Whisper":    {map[string][]byte{tone: nil, tone + ".json": nil, "ggml-base.bin": []byte(pointer)}, "", []string{"ggml-base.bin is a Git LFS pointer"}},
		"a Whisper page":           {map[string][]byte{"ggml-base.bin": []byte(page)}, "ggml-base.bin", []string{"ggml-base.bin is a saved web page"}},
		"a side file":              {map[string][]byte{"._" + tone: {0, 5, 0x16, 7, 0}}, "._" + tone, []string{"side file that macOS made", "Choose " + tone}},
		"an archive":               {map[string][]byte{"voice.zip": []byte("PK\x03\x04")}, "voice.zip", []string{"Unpack it"}},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(voiceFolder(t, c.change), c.file)
			o := u.run("models", "import", at)
			require.Equal(t, exitFailed, o.code, o.err)
			for _, word := range c.words {
				require.Contains(t, o.err, word)
			}
			require.NotContains(t, o.err, "Remove the model")
			require.Len(t, strings.Split(strings.TrimSpace(o.err), "\n"), 1)
		})
	}
}

// The files of a listed model are named with the place from which they can be fetched.
func TestImportOfAListedModelNamesItsFiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	write(t, filepath.Join(u.dir, "ggml-base.bin"), "version https://git-lfs.github.com/spec/v1\noid sha256:60\nsize 147951465\n")
	u.mustFail(exitFailed, []string{"ggml-base.bin is a Git LFS pointer"}, "models", "import", "ggml-base.bin", "--name", "whisper-base")
	write(t, filepath.Join(u.dir, "ggml-base.bin"), "lmgg and other bytes \x00\x01")
	u.mustFail(exitFailed, []string{"ggml-base.bin is not the one", "fetch ggml-base.bin of the repository ggerganov/whisper.cpp"},
		"models", "import", "ggml-base.bin", "--name", "whisper-base")
	u.mustFail(exitFailed, []string{"ggml-base.bin", "fetch ggml-base.bin of the repository ggerganov/whisper.cpp"},
		"models", "import", t.TempDir(), "--name", "whisper-base")
}
