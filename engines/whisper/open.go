//go:build whisper

package whisper

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/cpu"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/ggml"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// library is the hash of the static libraries, set by the linker flags of the Makefile so that new ones are linked.
var library string

const available = true

// Library returns the version of whisper.cpp. Error: backend.CodeUnsupportedCPU.
func Library() (version string, err error) {
	return cpp.LibraryVersion(), checkCPU(cpp.Features(), instructionSets())
}

// gpus returns the GPUs that this build can use.
func gpus() []string { return cpp.GPUs() }

// UsualDevice returns the GPU that the library was built for, else the CPU.
func (d *Driver) UsualDevice() string {
	device, _, _, _ := chooseDevice(engines.Auto, gpus())
	return device
}

func (d *Driver) open(path string, o engines.Options) (engines.Engine, error) {
	version, err := Library()
	if err != nil {
		return nil, err
	}
	device, gpu, why, err := chooseDevice(o.Device, gpus())
	if err != nil {
		return nil, err
	}
	place := engines.NewPlacement(device, o.Moved)
	if why != nil {
		place.MoveToCPU(why)
	}
	cpp.LogTo(func(line string) { d.log.Debug("whisper.cpp", slog.String("line", line)) })
	d.log.Debug("open a model with whisper.cpp", slog.String("version", version), slog.String("library", library))
	header, err := ggml.Check(path)
	if err != nil {
		return nil, err // the library would end the process on some damaged files
	}
	model, err := openPlaced(place, gpu, func(gpu int) (model, error) {
		m, err := cpp.Open(path, cpp.Options{GPU: gpu, FlashAttention: true})
		if err != nil {
			return nil, loadError(path, err) // not m, whose type makes it another nil
		}
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	return newEngine(model, engines.Info{
		Engine: Name, SampleRate: engines.TranscriberRate, Channels: 1, Languages: header.Languages(), Reproducible: true,
		Concurrency: 1, Placement: place, Threads: threads(o.Threads, min(physicalCores(context.Background()), runtime.GOMAXPROCS(0))),
		Runtimes: map[string]string{"whisper.cpp": version},
	}), nil
}

// loadError returns the error about a file that the library does not load.
func loadError(path string, err error) error {
	if errors.Is(err, cpp.ErrOutOfMemory) {
		return errMemoryShort("There is not enough memory to load the model.", err)
	}
	return backend.E(backend.CodeModelCorrupt, "The model file "+filepath.Base(path)+" cannot be loaded.",
		"Remove the model, then download or import it again.").With("file", filepath.Base(path)).WithCause(err)
}

func errMemoryShort(detail string, cause error) *backend.Error {
	return backend.E(backend.CodeOutOfMemory, detail,
		"Unload other models, close other programs, or use a smaller model.").WithCause(cause)
}

// instructionSets returns the instruction sets of this CPU by the names of build/whisper-features.c. Sets that are not listed
// come with one that is.
func instructionSets() map[string]bool {
	x, a := &cpu.X86, &cpu.ARM64
	return map[string]bool{
		"sse42": x.HasSSE42, "popcnt": x.HasPOPCNT, "avx": x.HasAVX, "avx2": x.HasAVX2, "fma": x.HasFMA, "bmi1": x.HasBMI1,
		"bmi2": x.HasBMI2, "adx": x.HasADX, "avx512f": x.HasAVX512F, "avx512bw": x.HasAVX512BW, "avx512cd": x.HasAVX512CD,
		"avx512dq": x.HasAVX512DQ, "avx512vl": x.HasAVX512VL, "avx512ifma": x.HasAVX512IFMA, "avx512vbmi": x.HasAVX512VBMI,
		"avx512vbmi2": x.HasAVX512VBMI2, "avx512vnni": x.HasAVX512VNNI, "avx512bitalg": x.HasAVX512BITALG,
		"avx512vpopcntdq": x.HasAVX512VPOPCNTDQ, "avx512bf16": x.HasAVX512BF16, "gfni": x.HasAVX512GFNI, "vaes": x.HasAVX512VAES,
		"vpclmulqdq": x.HasAVX512VPCLMULQDQ, "avxvnni": x.HasAVXVNNI, "amxtile": x.HasAMXTile, "amxint8": x.HasAMXInt8,
		"amxbf16": x.HasAMXBF16, "dotprod": a.HasASIMDDP, "i8mm": a.HasI8MM, "fp16": a.HasASIMDHP, "sve": a.HasSVE,
	}
}
