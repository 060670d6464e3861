package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// session is one run of this program, in words for the page.
type session struct {
	Began   time.Time `json:"began"`
	Load    string    `json:"load"` // of the minute before, "" where the system does not say
	Machine string    `json:"machine"`
}

// newSession describes the machine.
func newSession(ctx context.Context, root string, now time.Time) session {
	parts := []string{processor() + ", " + strconv.Itoa(runtime.NumCPU()) + " cores" + memory(), system()}
	parts = append(parts, languages(ctx, root))
	return session{Began: now.UTC().Truncate(time.Second), Load: load1(), Machine: strings.Join(parts, "; ")}
}

// processor returns the model of the processor. Some virtual machines only say the family.
func processor() string {
	info := text("/proc/cpuinfo")
	model, family := field(info, "model name"), field(info, "cpu family")
	switch {
	case model == "":
		return runtime.GOARCH
	case family == "" || strings.ContainsAny(model, "0123456789"):
		return model
	default:
		return model + " (family " + family + ")"
	}
}

func memory() string {
	kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(field(text("/proc/meminfo"), "MemTotal"), " kB"), 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %.0f GB", kilobytes*1024/1e9)
}

func system() string {
	release, _, _ := strings.Cut(text("/proc/sys/kernel/osrelease"), "-")
	if release == "" {
		return runtime.GOOS
	}
	name := regexp.MustCompile(`(?m)^PRETTY_NAME="?([^"\n]*)`).FindStringSubmatch(text("/etc/os-release"))
	if name == nil {
		return "Linux " + release
	}
	return name[1] + ", Linux " + release
}

// languages returns the versions of Go and of ONNX Runtime.
func languages(ctx context.Context, root string) string {
	version := runtime.Version()
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION") //nolint:forbidigo // the compiler
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil {
		version = strings.TrimSpace(string(out))
	}
	out := "Go " + strings.TrimPrefix(version, "go")
	if m := regexp.MustCompile(`(?m)^readonly ort_version=(\S+)`).FindStringSubmatch(text(filepath.Join(root, "build", "setup"))); m != nil {
		out += ", ONNX Runtime " + m[1]
	}
	return out
}

func load1() string {
	load, _, _ := strings.Cut(text("/proc/loadavg"), " ")
	return load
}

// text returns a file, "" where it cannot be read.
func text(path string) string {
	raw, _ := os.ReadFile(path)
	return strings.TrimSpace(string(raw))
}

// field returns the first value of a name in a file of lines such as "name : value".
func field(file, name string) string {
	for line := range strings.Lines(file) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
