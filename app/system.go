package app

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/backend/updates"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/whisper"
)

// version is set by the build.
var version = "dev"

// updatesAddress is the address of the document about new versions (backend/updates), set by the build; empty: nobody is asked.
var updatesAddress = ""

// updatesChecker returns what asks for new versions when the user wants to know.
func updatesChecker(offline func() bool) *updates.Checker {
	return updates.New(updates.Options{
		Address: updatesAddress, Version: Version(), Platform: runtime.GOOS + "-" + runtime.GOARCH, Offline: offline,
	})
}

// Version is the version of the program.
func Version() string {
	if version != "dev" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

// systemLanguage is the language of the system's locale, "en" for the C locale.
func systemLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value, _, _ := strings.Cut(os.Getenv(name), ".")
		value, _, _ = strings.Cut(value, "@")
		if value == "" {
			continue
		}
		if tag, ok := backend.CanonicalLanguage(value); ok {
			return tag
		}
		return "en" // C and POSIX
	}
	return "en"
}

// prober collects information on this machine and this installation.
type prober struct {
	data    string
	models  func() string // the models directory
	runtime *onnx.Runtime
	codecs  *audio.Codecs
	pdf     *extract.Extractor
	offline func() bool
}

// programTimeout is how long an external program may take to list its abilities.
const programTimeout = 5 * time.Second

func (p prober) info(ctx context.Context) system.Info {
	info := system.Host(ctx, p.data)
	info.Offline = p.offline()
	ctx, cancel := context.WithTimeout(ctx, programTimeout)
	defer cancel()
	info.Choices = deviceChoices(p.runtime, info.Devices)
	info.Encoders = p.codecs.Encoders(ctx)
	info.Paths = map[string]string{"data": p.data, "models": p.models()}
	transcriber, lacking := whisper.Library()
	info.Libraries = []system.Library{
		library("onnxruntime", p.runtime.Version(), p.runtime.Find()),
		p.espeak(ctx),
		library("whisper.cpp", transcriber, lacking),
		library(backend.ProgramFFmpeg, "", p.codecs.Ready(ctx, "mp3")),
		library(backend.ProgramPDFToText, "", p.pdf.Ready()),
	}
	return info
}

func (p prober) espeak(ctx context.Context) system.Library {
	v, err := espeak.New().Version(ctx)
	return library(backend.ProgramEspeak, v, err)
}

func library(name, version string, err error) system.Library {
	l := system.Library{Name: name, Version: version, Available: err == nil}
	if e := backend.AsError(err); e != nil {
		l.Reason = fmt.Sprintf("%s %s", e.Detail, e.Remedy)
		l.Install = backend.InstallationOf(name)
	}
	return l
}
