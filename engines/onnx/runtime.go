package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx/gpu"
)

// MinVersion is the oldest ONNX Runtime that the Go binding supports (C API version 29).
const MinVersion = "1.29"

// Options say where the ONNX Runtime library is.
type Options struct {
	// Path is the library file, or a folder that holds it (VOICEWRIGHT_ORT). Nothing else is tried when it is set.
	Path string
	// Executable is the running program, whose folder and the folders near it are searched;
	// empty asks the operating system.
	Executable string
	// Providers are the GPUs that the library may have code for, by the names of settings; nil: all that this package knows.
	Providers map[string]gpu.Provider
}

// Runtime is the ONNX Runtime library of this process. The library has one process-wide environment, so a program
// creates one Runtime and passes it to every engine; once loaded, the library stays until the process ends. It is safe
// for concurrent use.
type Runtime struct {
	options   Options
	providers map[string]gpu.Provider
	turn      chan struct{} // of runs on GPUs

	mu      sync.Mutex
	loaded  bool
	version string
}

// New returns a Runtime; the library is loaded later. It switches the library's telemetry off for this process and its
// children.
func New(o Options) *Runtime {
	disableTelemetry()
	r := &Runtime{options: o, providers: o.Providers, turn: make(chan struct{}, 1)}
	if r.providers == nil {
		r.providers = gpu.Providers()
	}
	return r
}

// Init loads the library unless it is loaded already. Errors: backend.CodeRuntimeMissing when the library is not
// found, is older than MinVersion or cannot be loaded; a later call tries again, so the user can install it in the meantime.
func (r *Runtime) Init() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded {
		return nil
	}
	if !ort.IsInitialized() {
		if err := r.load(); err != nil {
			return err
		}
	}
	r.loaded, r.version = true, ort.GetVersion()
	return nil
}

// Version returns the version of the loaded library such as 1.30.0, empty before Init.
func (r *Runtime) Version() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.version
}

// Versions returns the versions of what a model runs on, for receipts: ONNX Runtime, which it loads if needed, and the
// phonemizer's program if the phonemizer has a Version method. Error: backend.CodeRuntimeMissing for either, so that a
// missing program is reported when a voice is opened and not at its first sentence. If only the phonemizer's is
// missing, the version of the library is returned with the error.
func (r *Runtime) Versions(ctx context.Context, phonemizer any) (map[string]string, error) {
	if err := r.Init(); err != nil {
		return nil, err
	}
	out := map[string]string{"onnxruntime": r.Version()}
	ph, ok := phonemizer.(interface {
		Version(ctx context.Context) (string, error)
	})
	if !ok {
		return out, nil
	}
	version, err := ph.Version(ctx)
	if err != nil {
		return out, fmt.Errorf("get the version of the phonemizer: %w", err)
	}
	out["espeak-ng"] = version
	return out, nil
}

// Cores returns the number of cores that this process may use: fewer than the machine has under an affinity mask or a
// container's limit.
func Cores() int { return runtime.GOMAXPROCS(0) }

// Threads returns the number of threads of one run, usual if requested is below 1, and the number of callers that keep all
// cores busy.
func Threads(requested, usual int) (perRun, callers int) {
	if requested < 1 {
		requested = usual
	}
	perRun = max(requested, 1)
	return perRun, (Cores() + perRun - 1) / perRun
}

// load tries the candidates in order. If none loads, it reports the first failure of a file that exists, which says
// more than that the system has no library either.
func (r *Runtime) load() error {
	location, err := candidates(runtime.GOOS, r.options)
	if err != nil {
		return errMissing("The ONNX Runtime library was not found at " + r.options.Path + ".").WithCause(err)
	}
	var first *backend.Error
	for _, path := range location {
		err := initialize(path)
		if err == nil {
			return nil
		}
		if first == nil && filepath.IsAbs(path) {
			first = errUnloadable(runtime.GOOS, path, err)
		}
	}
	if first != nil {
		return first
	}
	return errMissing("The ONNX Runtime library (" + libraryNames(runtime.GOOS)[0] + ") was not found.")
}

// folder returns the folder of the library, where its parts for GPUs are; empty for one that only the system's loader finds.
func (r *Runtime) folder() string {
	paths, err := candidates(runtime.GOOS, r.options)
	if err != nil || len(paths) == 0 || !filepath.IsAbs(paths[0]) {
		return ""
	}
	return filepath.Dir(paths[0])
}

func errMissing(detail string) *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, detail, remedy()).With("program", "ONNX Runtime")
}

// moduleNotFound is the error of Windows for a library that is missing, or one that it needs.
const moduleNotFound = syscall.Errno(126)

// errUnloadable returns the error for a library file that exists and was not loaded.
func errUnloadable(system, path string, cause error) *backend.Error {
	if system == "windows" && errors.Is(cause, moduleNotFound) {
		return backend.E(backend.CodeRuntimeMissing,
			"Neural voices need the Microsoft Visual C++ Redistributable (x64), which is not installed.",
			"Install it from https://aka.ms/vs/17/release/vc_redist.x64.exe (`winget install Microsoft.VCRedist.2015+.x64`), then try again.",
		).With("program", "Visual C++").WithCause(cause)
	}
	return errMissing("The file " + path + " cannot be loaded as ONNX Runtime " + MinVersion + " or newer.").WithCause(cause)
}

func remedy() string {
	switch runtime.GOOS {
	case "darwin":
		return "Install it with `brew install onnxruntime`, or set VOICEWRIGHT_ORT to libonnxruntime.dylib of version " +
			MinVersion + " or newer, then try again."
	case "windows":
		return "Unpack onnxruntime-win-" + arch() + " of version " + MinVersion +
			" or newer, put onnxruntime.dll beside voicewright.exe or set VOICEWRIGHT_ORT to it, then try again."
	default:
		return "Unpack onnxruntime-linux-" + arch() + " of version " + MinVersion +
			" or newer, set VOICEWRIGHT_ORT to its libonnxruntime.so.1 or put that beside the program, then try again."
	}
}

// arch returns the name of the architecture in ONNX Runtime's release files.
func arch() string {
	switch {
	case runtime.GOARCH == "amd64":
		return "x64"
	case runtime.GOARCH == "arm64" && runtime.GOOS == "linux":
		return "aarch64"
	default:
		return runtime.GOARCH
	}
}

// candidates lists the library files to try: those that exist as absolute paths, then bare names, which the
// system's loader looks up itself. On Windows that would be in the current directory too, and in the folder of the system, which has an
// older one: there the library is the user's choice, or lies beside the program.
func candidates(system string, o Options) ([]string, error) {
	if o.Path != "" {
		path, err := explicit(o.Path)
		if err != nil {
			return nil, err
		}
		return []string{path}, nil
	}
	var out []string
	for _, dir := range searchDirs(system, o.Executable) {
		for _, name := range libraryNames(system) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				out = append(out, path)
				break
			}
		}
	}
	if system != "windows" {
		out = append(out, libraryNames(system)...)
	}
	return out, nil
}

// explicit resolves the user's path: a file, or a folder with the library in it.
func explicit(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("resolve library path: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("find library: %w", err)
	}
	if !info.IsDir() {
		return path, nil
	}
	for _, name := range libraryNames(runtime.GOOS) {
		file := filepath.Join(path, name)
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("find library: no %s in %s: %w", libraryNames(runtime.GOOS)[0], path, os.ErrNotExist)
}

// searchDirs returns the folders near the program, with those of `make install` and of the system's packages, then the one that the
// set-up of a source tree fills; on Windows only that of the program.
func searchDirs(system, executable string) []string {
	built := filepath.Join("build", "lib", "onnxruntime")
	var dirs []string
	if executable == "" {
		executable, _ = os.Executable()
	}
	if executable != "" {
		if target, err := filepath.EvalSymlinks(executable); err == nil {
			executable = target
		}
		dir := filepath.Dir(executable)
		if system == "windows" {
			return []string{dir}
		}
		dirs = append(dirs, dir, filepath.Join(dir, built), filepath.Join(filepath.Dir(dir), built),
			filepath.Join(filepath.Dir(dir), "lib", "onnxruntime"), filepath.Join(filepath.Dir(dir), "lib", "voicewright"))
	}
	if wd, err := os.Getwd(); err == nil && system != "windows" {
		dirs = append(dirs, filepath.Join(wd, built))
	}
	return dirs
}

func libraryNames(system string) []string {
	switch system {
	case "darwin":
		return []string{"libonnxruntime.dylib", "libonnxruntime.1.dylib"}
	case "windows":
		return []string{"onnxruntime.dll"}
	default:
		return []string{"libonnxruntime.so.1", "libonnxruntime.so"}
	}
}

// initialize loads one library. Its own log goes to stderr and repeats what its errors say, so it is switched off.
func initialize(path string) error {
	disableTelemetry()
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("load %s: %w", path, err)
	}
	// Windows builds report through the system's tracing, which only this call switches off.
	if err := ort.DisableTelemetry(); err != nil {
		return errors.Join(fmt.Errorf("switch telemetry off: %w", err), ort.DestroyEnvironment())
	}
	return nil
}

// disableTelemetry sets the variable that switches the library's telemetry off. Official builds from 1.29 on write
// files into the home directory, start a shell and contact their maker as soon as the environment exists, so
// DisableTelemetry comes too late. The library reads the variable with C's getenv, which os.Setenv reaches because this
// package needs cgo; on Windows both use the process environment. New calls it at program start, before other threads
// that may read the environment; initialize calls it again because it is what opens the library.
func disableTelemetry() {
	const variable = "ORT_DISABLE_TELEMETRY"
	if os.Getenv(variable) != "1" {
		_ = os.Setenv(variable, "1") // fails for invalid names only
	}
}
