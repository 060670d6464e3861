package backend

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// The programs of others that Voicewright starts, by the names of their files.
const (
	ProgramEspeak    = "espeak-ng"
	ProgramFFmpeg    = "ffmpeg"
	ProgramPDFToText = "pdftotext"
)

// Installation is how a person gets a program on this system.
type Installation struct {
	// Page is where the program is offered for the system, an https address.
	Page     string           `json:"page"`
	Packages []InstallPackage `json:"packages" nullable:"false" doc:"the system's own packages, that of this distribution first"`
}

// InstallPackage is the package of one package manager.
type InstallPackage struct {
	Systems string `json:"systems" doc:"the distributions that have it, such as Debian, Ubuntu; empty on other systems than Linux"`
	Name    string `json:"name" doc:"in the software centre"`
	Command string `json:"command" doc:"installs it in a terminal"`
}

// program is a row of the table of programs.
type program struct {
	missing  string            // the sentence that it is missing
	without  string            // what helps without it, or empty
	pages    map[string]string // by runtime.GOOS; "" is any other system
	packages [4]string         // apt, dnf, pacman, zypper
	brew     string
	winget   string
}

// programs returns the table of programs by name. Packages are named as Debian 13, Fedora 42, Arch, openSUSE, Homebrew and winget
// have them.
func programs() map[string]program {
	return map[string]program{
		ProgramEspeak: {
			missing: "The program espeak-ng was not found.",
			pages: map[string]string{
				"":        "https://github.com/espeak-ng/espeak-ng/blob/master/docs/guide.md",
				"windows": "https://github.com/espeak-ng/espeak-ng/releases/latest",
				"darwin":  "https://formulae.brew.sh/formula/espeak-ng",
			},
			packages: [4]string{"espeak-ng", "espeak-ng", "espeak-ng", "espeak-ng"}, brew: "espeak-ng", winget: "eSpeak-NG.eSpeak-NG",
		},
		ProgramFFmpeg: {
			missing: "This needs the program ffmpeg, which was not found.",
			without: "or use WAV files",
			pages: map[string]string{
				"": "https://ffmpeg.org/download.html", "darwin": "https://formulae.brew.sh/formula/ffmpeg",
			},
			packages: [4]string{"ffmpeg", "ffmpeg-free", "ffmpeg", "ffmpeg"}, brew: "ffmpeg", winget: "Gyan.FFmpeg",
		},
		ProgramPDFToText: {
			missing: "pdftotext is needed to read PDF files and is not installed.",
			pages: map[string]string{
				"":        "https://poppler.freedesktop.org/",
				"windows": "https://github.com/oschwartz10612/poppler-windows/releases/latest",
				"darwin":  "https://formulae.brew.sh/formula/poppler",
			},
			packages: [4]string{"poppler-utils", "poppler-utils", "poppler", "poppler-tools"}, brew: "poppler",
			winget: "oschwartz10612.Poppler",
		},
	}
}

// distributions are the families of Linux whose packages the table has, in its order: the names that people know, the ids of
// /etc/os-release, and the command.
func distributions() [4]struct {
	systems, command string
	ids              []string
} {
	return [4]struct {
		systems, command string
		ids              []string
	}{
		{"Debian, Ubuntu", "sudo apt install ", []string{"debian", "ubuntu"}},
		{"Fedora", "sudo dnf install ", []string{"fedora", "rhel", "centos"}},
		{"Arch", "sudo pacman -S ", []string{"arch"}},
		{"openSUSE", "sudo zypper install ", []string{"suse", "opensuse"}},
	}
}

// InstallationOf returns how a program is installed on this system, nil for a name that is none of the constants.
func InstallationOf(name string) *Installation {
	release, _ := os.ReadFile("/etc/os-release") // without it the order stays
	return installationOn(name, runtime.GOOS, string(release))
}

// installationOn is InstallationOf for a system; release is the text of its os-release(5).
func installationOn(name, goos, release string) *Installation {
	p, known := programs()[name]
	if !known {
		return nil
	}
	in := &Installation{Page: p.pages[goos], Packages: []InstallPackage{}}
	if in.Page == "" {
		in.Page = p.pages[""]
	}
	switch goos {
	case "windows":
		in.Packages = append(in.Packages, InstallPackage{Name: p.winget, Command: "winget install --exact --id " + p.winget})
	case "darwin":
		in.Packages = append(in.Packages, InstallPackage{Name: p.brew, Command: "brew install " + p.brew})
	case "linux":
		for i, d := range distributions() {
			one := InstallPackage{Systems: d.systems, Name: p.packages[i], Command: d.command + p.packages[i]}
			if slices.ContainsFunc(d.ids, func(id string) bool { return slices.Contains(likeOf(release), id) }) {
				in.Packages = slices.Insert(in.Packages, 0, one)
			} else {
				in.Packages = append(in.Packages, one)
			}
		}
	}
	return in
}

// likeOf returns the ids of a distribution and of those that it is like, from the text of its os-release(5).
func likeOf(release string) []string {
	var ids []string
	for line := range strings.Lines(release) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if key == "ID" || key == "ID_LIKE" {
			ids = append(ids, strings.Fields(strings.Trim(value, `"'`))...)
		}
	}
	return ids
}

// MissingProgram returns the error for a program that is not there, a name of the constants: runtime_missing with the parameter
// program, and how it is installed on this system as the remedy.
func MissingProgram(name string) *Error {
	remedy := remedyOf(InstallationOf(name), runtime.GOOS, programs()[name].without)
	return E(CodeRuntimeMissing, programs()[name].missing, remedy).With("program", name)
}

// remedyOf returns the sentence on how a program is installed; without is what helps without it, or empty.
func remedyOf(in *Installation, goos, without string) string {
	var ways []string
	for _, p := range in.Packages {
		way := "`" + p.Command + "`"
		if p.Systems != "" {
			way += " (" + p.Systems + ")"
		}
		ways = append(ways, way)
	}
	if without != "" {
		without = ", " + without
	}
	switch {
	case goos == "windows":
		return fmt.Sprintf("Install it from %s or with %s%s.", in.Page, ways[0], without)
	case len(ways) == 0:
		return fmt.Sprintf("Install it with the system's package manager, see %s%s.", in.Page, without)
	}
	return fmt.Sprintf("Install it with %s%s.", strings.Join(ways, ", "), without)
}
