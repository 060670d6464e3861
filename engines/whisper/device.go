package whisper

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// families are the GPUs of the library by the words of the settings, which are the same for all engines.
var families = map[string]string{
	"cuda": "cuda", "metal": "metal", "coreml": "metal", "vulkan": "vulkan", "directml": "vulkan",
}

// CannotUse returns why this build cannot transcribe on a GPU; nil if it can.
func CannotUse(device string) *backend.Error {
	_, _, why, err := chooseDevice(device, gpus())
	if err != nil {
		return backend.AsError(err)
	}
	return why
}

// chooseDevice returns the device to load a model on, as engines.Info names it, and its number among gpus, those that this build can
// use; -1 for the CPU. A build for a GPU uses it unless the CPU is asked for. For a GPU that it cannot use, it returns the device that
// was asked for with why. Error: backend.CodeUnsupportedGPU for another word.
func chooseDevice(wanted string, gpus []string) (device string, number int, why *backend.Error, err error) {
	if wanted == "" || wanted == engines.Auto {
		if len(gpus) > 0 {
			return gpus[0], 0, nil, nil
		}
		return engines.CPU, -1, nil, nil
	}
	if wanted == engines.CPU {
		return engines.CPU, -1, nil, nil
	}
	word, index, numbered := strings.Cut(wanted, ":")
	family, known := families[word]
	if !known {
		return "", 0, nil, backend.E(backend.CodeUnsupportedGPU, "This build of Voicewright cannot transcribe on "+wanted+".",
			"Set transcribe.device to auto, cpu, cuda, directml or coreml.").With("device", wanted)
	}
	for i, gpu := range gpus {
		if name, of, _ := strings.Cut(gpu, ":"); name == family && (!numbered || index == of) {
			return gpu, i, nil, nil
		}
	}
	device = family
	if numbered {
		device += ":" + index
	}
	return device, -1, engines.ErrNoGPU(device, engines.GPUMissing, nil), nil
}
