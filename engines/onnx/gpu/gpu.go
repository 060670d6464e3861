// Package gpu makes sessions of ONNX Runtime run on GPUs, where the library has code for them.
package gpu

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// Provider runs graphs on one kind of GPU.
type Provider interface {
	// Use makes sessions with these options run on the GPU with this number, from 0, with at most memory bytes for each graph (0: no
	// limit). It returns what the library says, wrapping ErrMissing where that has no code for the GPU.
	Use(options *ort.SessionOptions, number int, memory int64) error
	// Do calls work, which loads a graph on the GPU or runs it.
	Do(work func() error) error
	// Present reports whether a library in folder may have code for the GPU, by its files.
	Present(folder string) bool
	// Missing returns what a part of the library in folder needs and the system does not find; nil if that is not known.
	Missing(folder string) error
}

// ErrMissing is the error for a GPU that the library has no code for.
var ErrMissing = errors.New("not in this build of the library")

// asMissing wraps ErrMissing around the library's words for it.
func asMissing(err error) error {
	for _, sign := range []string{"not enabled in this build", "provider is not supported", "does not support CoreML"} {
		if strings.Contains(err.Error(), sign) {
			return errors.Join(ErrMissing, err)
		}
	}
	return err
}

// Providers returns the GPUs that a library may have code for, by the names of settings.
func Providers() map[string]Provider {
	return map[string]Provider{"cuda": cuda{}, "directml": directML{}, "coreml": coreML{}}
}

// cuda runs graphs on GPUs of NVIDIA.
type cuda struct{}

func (cuda) Use(options *ort.SessionOptions, number int, memory int64) (err error) {
	defer mendSignals() // naming a GPU counts those of the machine, which starts CUDA
	o, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return asMissing(err)
	}
	defer func() { err = errors.Join(err, o.Destroy()) }()
	settings := map[string]string{
		"device_id": strconv.Itoa(number),
		// Utterances have all lengths: the usual search would try every algorithm anew for each of them, and the usual arena doubles.
		"cudnn_conv_algo_search": "HEURISTIC",
		"arena_extend_strategy":  "kSameAsRequested",
	}
	if memory > 0 {
		settings["gpu_mem_limit"] = strconv.FormatInt(memory, 10)
	}
	if err := o.Update(settings); err != nil {
		return fmt.Errorf("use CUDA: %w", err)
	}
	if err := options.AppendExecutionProviderCUDA(o); err != nil {
		return fmt.Errorf("use CUDA: %w", err)
	}
	return nil
}

// Do mends the handlers of signals that CUDA's libraries set when they begin to work.
func (cuda) Do(work func() error) error {
	defer mendSignals()
	return work()
}

// Present implements Provider: the code for CUDA is a file of its own.
func (cuda) Present(folder string) bool {
	found, _ := filepath.Glob(filepath.Join(folder, "*onnxruntime_providers_cuda*")) // the pattern is well-formed
	return folder == "" || len(found) > 0
}

func (cuda) Missing(folder string) error { return missingLibrary(folder) }

// directML runs graphs on the GPUs of Windows.
type directML struct{}

func (directML) Use(options *ort.SessionOptions, number int, _ int64) error {
	if err := options.AppendExecutionProviderDirectML(number); err != nil {
		return asMissing(err)
	}
	return nil
}

func (directML) Do(work func() error) error { return work() }

func (directML) Present(string) bool { return true }

func (directML) Missing(string) error { return nil }

// coreML runs graphs on the GPU of a Mac.
type coreML struct{}

func (coreML) Use(options *ort.SessionOptions, _ int, _ int64) error {
	err := options.AppendExecutionProviderCoreMLV2(map[string]string{"ModelFormat": "MLProgram", "MLComputeUnits": "CPUAndGPU"})
	if err != nil {
		return asMissing(err)
	}
	return nil
}

func (coreML) Do(work func() error) error { return work() }

func (coreML) Present(string) bool { return true }

func (coreML) Missing(string) error { return nil }
