package backend

import (
	"net/url"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	mint     = "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"
	fedora   = "NAME=\"Fedora Linux\"\nID=fedora\nVERSION_ID=42\n"
	tumble   = "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n"
	manjaro  = "ID=manjaro\nID_LIKE=arch\n"
	nameOnly = "NAME=debian\n"
)

// Whoever lacks a program is told how to get it on their system, in the words of the error and as the data of the page.
func TestInstallation(t *testing.T) {
	for _, c := range []struct {
		name, goos, release, page, first, remedy string
	}{
		{
			ProgramEspeak, "windows", "", "https://github.com/espeak-ng/espeak-ng/releases/latest",
			"winget install --exact --id eSpeak-NG.eSpeak-NG", "releases/latest or with `winget install",
		},
		{ProgramEspeak, "darwin", "", "https://formulae.brew.sh/formula/espeak-ng", "brew install espeak-ng", "`brew install espeak-ng`."},
		{
			ProgramEspeak, "linux", mint, "https://github.com/espeak-ng/espeak-ng/blob/master/docs/guide.md",
			"sudo apt install espeak-ng", "`sudo pacman -S espeak-ng` (Arch)",
		},
		{ProgramEspeak, "freebsd", "", "https://github.com/espeak-ng/espeak-ng/blob/master/docs/guide.md", "", "package manager"},
		{ProgramFFmpeg, "linux", fedora, "https://ffmpeg.org/download.html", "sudo dnf install ffmpeg-free", "or use WAV files."},
		{ProgramFFmpeg, "windows", "", "https://ffmpeg.org/download.html", "winget install --exact --id Gyan.FFmpeg", "or use WAV files."},
		{ProgramFFmpeg, "linux", manjaro, "https://ffmpeg.org/download.html", "sudo pacman -S ffmpeg", "sudo dnf install ffmpeg-free"},
		{ProgramPDFToText, "linux", tumble, "https://poppler.freedesktop.org/", "sudo zypper install poppler-tools", "(openSUSE)"},
		{ProgramPDFToText, "linux", "", "https://poppler.freedesktop.org/", "sudo apt install poppler-utils", "(Debian, Ubuntu)"},
		{ProgramPDFToText, "linux", nameOnly, "https://poppler.freedesktop.org/", "sudo apt install poppler-utils", "(Debian, Ubuntu)"},
		{ProgramPDFToText, "darwin", "", "https://formulae.brew.sh/formula/poppler", "brew install poppler", "brew install poppler"},
	} {
		in := installationOn(c.name, c.goos, c.release)
		require.Equal(t, c.page, in.Page, c.name+c.goos)
		if c.first == "" {
			require.Empty(t, in.Packages)
		} else {
			require.Equal(t, c.first, in.Packages[0].Command, c.name+c.goos+c.release)
		}
		require.Contains(t, remedyOf(in, c.goos, programs()[c.name].without), c.remedy)
	}
	require.Nil(t, installationOn("rm", "linux", ""))
	require.Nil(t, InstallationOf(""))
}

// Each program of the table has a page and a package on each system, and its error says the same.
func TestEveryProgramCanBeInstalled(t *testing.T) {
	for name := range programs() {
		for _, goos := range []string{"linux", "windows", "darwin"} {
			in := installationOn(name, goos, "")
			page, err := url.Parse(in.Page)
			require.NoError(t, err)
			require.Equal(t, "https", page.Scheme, name)
			require.NotEmpty(t, in.Packages, name+goos)
			for _, p := range in.Packages {
				require.Contains(t, p.Command, " "+p.Name)
			}
		}
		e := MissingProgram(name)
		require.Equal(t, CodeRuntimeMissing, e.Code)
		require.Equal(t, map[string]any{"program": name}, e.Params)
		for _, p := range InstallationOf(name).Packages {
			require.Contains(t, e.Remedy, p.Command, runtime.GOOS)
		}
	}
}
