package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goBill = `{"metadata": {"component": {"bom-ref": "pkg:golang/app@1?type=module", "name": "app"}},
"components": [
 {"bom-ref": "pkg:golang/github.com/A/b@v1.0.0?type=module", "type": "library", "name": "github.com/A/b", "version": "v1.0.0",
  "purl": "pkg:golang/github.com/A/b@v1.0.0?goarch=amd64&goos=linux&type=module", "licenses": [{"license": {"id": "MIT"}}]},
 {"bom-ref": "pkg:golang/std@go1.26?type=module", "type": "library", "name": "std", "version": "go1.26", "purl": "pkg:golang/std@go1.26?goarch=arm64&goos=windows&type=module"}],
"dependencies": [{"ref": "pkg:golang/app@1?type=module", "dependsOn": ["pkg:golang/std@go1.26?type=module", "pkg:golang/github.com/A/b@v1.0.0?type=module"]}]}`

const pageBill = `{"serialNumber": "urn:uuid:1", "metadata": {"timestamp": "2026-11-29T16:05:31.439Z", "component": {"bom-ref": "page@0.0.0", "name": "page"}},
"components": [{"bom-ref": "react@19.0.0", "type": "library", "name": "react", "version": "19.0.0", "purl": "pkg:npm/react@19.0.0",
  "licenses": [{"license": {"id": "MIT"}}]}],
"dependencies": [{"ref": "page@0.0.0", "dependsOn": ["react@19.0.0"]}]}`

// TestBill merges the bills of two programs with the same module and that of the page: each part once, below one program, with the
// parts described by hand, and nothing of the time and the machine.
func TestBill(t *testing.T) {
	merged, err := merge("1.2.3", [][]byte{partsFile, []byte(goBill), []byte(goBill), []byte(pageBill)})
	require.NoError(t, err)
	require.NoError(t, merged.check())
	names := map[string]int{}
	for _, c := range merged.Components {
		names[c.Name]++
		require.NotContains(t, c.PURL, "goarch")
		require.NotContains(t, c.PURL, "goos")
	}
	for _, name := range []string{"github.com/A/b", "std", "react", "onnxruntime", "whisper.cpp", "silero-vad", "misaki-dictionaries", "miniaudio"} {
		require.Equal(t, 1, names[name], name)
	}
	for _, d := range merged.Dependencies {
		if d.Ref == "voicewright" {
			require.Contains(t, d.DependsOn, "react@19.0.0")
			require.Contains(t, d.DependsOn, "onnxruntime")
			require.Contains(t, d.DependsOn, "pkg:golang/std@go1.26?type=module")
		}
	}
	text, err := json.Marshal(merged)
	require.NoError(t, err)
	for _, no := range []string{"serialNumber", "timestamp", "page@0.0.0", "pkg:golang/app"} {
		require.NotContains(t, string(text), no)
	}
}

// TestBillIsComplete refuses bills in which a part has no licence, no version, the name of another, or depends on nothing known.
func TestBillIsComplete(t *testing.T) {
	for name, change := range map[string][2]string{
		"licence":    {`{"id": "MIT"}`, `{"id": ""}`},
		"version":    {`"version": "19.0.0"`, `"version": ""`},
		"purl":       {`"pkg:npm/react@19.0.0"`, `""`},
		"type":       {`"type": "library"`, `"type": "thing"`},
		"dependency": {`["react@19.0.0"]`, `["vue@3.0.0"]`},
	} {
		merged, err := merge("1.2.3", [][]byte{[]byte(strings.Replace(pageBill, change[0], change[1], 1))})
		require.NoError(t, err)
		require.Error(t, merged.check(), name)
	}
}

// TestPartsByHand compares the versions that are written by hand with those that are built.
func TestPartsByHand(t *testing.T) {
	var p part
	require.NoError(t, json.Unmarshal(partsFile, &p))
	versions := map[string]string{}
	for _, c := range p.Components {
		versions[c.Name] = c.Version
	}
	setup, err := os.ReadFile("../setup")
	require.NoError(t, err)
	require.Equal(t, regexp.MustCompile(`ort_version=(\S+)`).FindStringSubmatch(string(setup))[1], versions["onnxruntime"])
	whisper, err := os.ReadFile("../whisper.sh")
	require.NoError(t, err)
	require.Contains(t, string(whisper), "whisper.cpp "+versions["whisper.cpp"])
	for _, name := range []string{"misaki", "Silero VAD " + versions["silero-vad"]} {
		page, err := os.ReadFile("../../THIRD_PARTY.md")
		require.NoError(t, err)
		require.Contains(t, string(page), name)
	}
}

// TestNotices writes each text once with all its parts, and who holds the rights in each.
func TestNotices(t *testing.T) {
	merged, err := merge("1.2.3", [][]byte{[]byte(goBill), []byte(pageBill)})
	require.NoError(t, err)
	texts := map[string][]string{
		"std":            {"Copyright 2009 The Go Authors.\n\nCOPYRIGHT HOLDERS BE LIABLE"},
		"github.com/A/b": {"MIT License\n\nCopyright (c) 2020 Ann\nCopyright (c) 2021 Ben\n\nPermission"},
	}
	find := func(c component) ([]string, error) { return texts[c.Name], nil }
	_, _, err = describe(merged.Components, find)
	require.ErrorContains(t, err, "react 19.0.0 brings no text of its licence, MIT")
	texts["react"] = []string{"MIT License\n\nPermission"}
	notices, copyright, err := describe(append(merged.Components, component{Name: withoutText[0], Version: "1", Licenses: merged.Components[0].Licenses}), find)
	require.NoError(t, err)
	for _, text := range []string{"github.com/A/b v1.0.0\n\nMIT License", withoutText[0] + " 1\n\nLicence: "} {
		require.Contains(t, string(notices), text)
	}
	for _, text := range []string{
		"Files: parts/github.com/A/b/*\nCopyright: Copyright (c) 2020 Ann\n Copyright (c) 2021 Ben\nLicense: MIT\n",
		"Files: parts/std/*\nCopyright: Copyright 2009 The Go Authors.\nLicense: BSD-3-Clause\n",
		"Copyright: The authors of react\n", "\nLicense: Apache-2.0\n On Debian", "\nLicense: BSD-3-Clause\n The text",
	} {
		require.Contains(t, string(copyright), text)
	}
}

// TestLicenceFiles finds the licences of modules, whose folders write capitals as !x, and of parts described by hand.
func TestLicenceFiles(t *testing.T) {
	modules := t.TempDir()
	dir := filepath.Join(modules, "github.com", "!a", "b@v1.0.0")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for _, name := range []string{"LICENSE", "NOTICE.txt", "README.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	files, err := licenceFiles(component{Name: "github.com/A/b", Version: "v1.0.0", PURL: "pkg:golang/github.com/A/b@v1.0.0"}, "linux-amd64", modules, "")
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "LICENSE"), filepath.Join(dir, "NOTICE.txt")}, files)
	files, err = licenceFiles(component{Name: "x", Properties: []property{{licenceProperty, "build/lib/TARGET/x"}}}, "linux-arm64", modules, "")
	require.NoError(t, err)
	require.Equal(t, []string{"build/lib/linux-arm64/x"}, files)
	_, err = licenceFiles(component{Name: "gone", Version: "v1", PURL: "pkg:golang/gone@v1"}, "", modules, "")
	require.Error(t, err)
}
