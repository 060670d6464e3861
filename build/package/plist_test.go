package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// texts returns the texts of an XML file in order, of keys and values, and fails for one that is not well formed.
func texts(t *testing.T, file string) []string {
	t.Helper()
	in, err := os.Open(file)
	require.NoError(t, err)
	defer in.Close()
	var out []string
	for decoder := xml.NewDecoder(in); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			out = append(out, string(text))
		}
	}
}

func TestPropertyList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Info.plist")
	require.NoError(t, run(t.Context(), []string{"plist", "../../wails.json", "1.2.3", file}))
	words := texts(t, file)
	for key, want := range map[string]string{
		"CFBundleExecutable":         "voicewright-desktop",
		"CFBundleShortVersionString": "1.2.3",
		"LSMinimumSystemVersion":     "14.0",
	} {
		require.Contains(t, words, key)
		for i, word := range words {
			if word == key {
				require.Equal(t, want, words[i+1], key)
			}
		}
	}
	require.Contains(t, words, "NSMicrophoneUsageDescription", "without it macOS ends the program that records")

	text, err := os.ReadFile("../../wails.json")
	require.NoError(t, err)
	var types struct {
		Info struct {
			FileAssociations []struct{ Ext string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &types))
	require.NotEmpty(t, types.Info.FileAssociations)
	for _, one := range types.Info.FileAssociations {
		require.Contains(t, words, one.Ext)
	}
}

// TestNamesWithMarkup: names may have characters that mean something in XML.
func TestNamesWithMarkup(t *testing.T) {
	dir := t.TempDir()
	wails, file := filepath.Join(dir, "wails.json"), filepath.Join(dir, "Info.plist")
	require.NoError(t, os.WriteFile(wails, []byte(`{"outputfilename":"a","info":{"productName":"R&D <1>","copyright":"\"me\""}}`), 0o600))
	require.NoError(t, writePlist(wails, "1.0", file))
	require.Contains(t, strings.Join(texts(t, file), " "), "R")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "R&amp;D &lt;1&gt;")
}

func TestEntitlements(t *testing.T) {
	require.Contains(t, texts(t, "macos/entitlements.plist"), "com.apple.security.device.audio-input")
}

func TestNoProject(t *testing.T) {
	require.ErrorIs(t, writePlist("nowhere.json", "1.0", filepath.Join(t.TempDir(), "Info.plist")), os.ErrNotExist)
}
