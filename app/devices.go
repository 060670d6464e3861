package app

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/whisper"
)

// deviceChoices returns the GPUs that settings can name on this system, for speech and for transcription, and whether they can be used.
// It does not load ONNX Runtime, and tries no GPU.
func deviceChoices(library *onnx.Runtime, machine []system.Device) []system.DeviceChoice {
	var out []system.DeviceChoice
	for _, device := range system.Choices(runtime.GOOS) {
		known, why := library.Knows(device)
		for _, family := range []string{registry.Speech, registry.Transcription} {
			if family == registry.Transcription {
				known, why = true, whisper.CannotUse(device)
			}
			if lacksGPU(device, machine) { // no build helps
				known, why = true, engines.ErrNoGPU(device, engines.GPUNone, nil)
			}
			c := system.DeviceChoice{Family: family, Device: device}
			if known {
				c.Available = new(why == nil)
			}
			if why != nil {
				c.Reason = why.Failure()
			}
			out = append(out, c)
		}
	}
	return out
}

// lacksGPU reports whether it is known that the machine has no GPU for a device: Linux lists those of NVIDIA.
func lacksGPU(device string, machine []system.Device) bool {
	return device == "cuda" && runtime.GOOS == "linux" &&
		!slices.ContainsFunc(machine, func(d system.Device) bool { return strings.HasPrefix(d.ID, "cuda:") })
}

// checkDevices lists the processor and the GPUs, with what can use them. It fails where a setting asks for a GPU that nothing can use,
// and for models that the running server has moved to the CPU.
func checkDevices(ctx context.Context, data string, stored choices, library *onnx.Runtime) (string, error) {
	machine := system.Host(ctx, data).Devices
	var parts []string
	for _, d := range machine {
		parts = append(parts, d.ID+" ("+d.Name+")")
	}
	_ = library.Init() // the check of ONNX Runtime reports an error
	all := deviceChoices(library, machine)
	for _, c := range all {
		if c.Reason == nil {
			parts = append(parts, fmt.Sprintf("%s can use %s", c.Family, c.Device))
		} else {
			parts = append(parts, fmt.Sprintf("%s cannot use %s: %s", c.Family, c.Device, strings.TrimRight(c.Reason.Detail, ".")))
		}
	}
	for _, one := range [][2]string{{registry.Speech, stored.speechDevice}, {registry.Transcription, stored.transcribeDevice}} {
		if why := cannotUse(all, one[0], one[1]); why != nil {
			return "", why
		}
	}
	if a, ok := datadir.FindServer(ctx, data); ok {
		var loaded struct{ Items []backend.ModelStatus }
		_ = a.Client().Call(ctx, http.MethodGet, "/models/loaded", nil, &loaded) // the check of the server reports an error
		for _, m := range loaded.Items {
			if m.DeviceWarning != nil {
				e := m.DeviceWarning.Err()
				e.Detail = m.DisplayName + " runs on the CPU. " + e.Detail
				return "", e
			}
		}
	}
	return strings.Join(parts, "; "), nil
}

// cannotUse returns why the models of a family cannot be on the device that a setting names; nil if they can, or if it is not known.
func cannotUse(all []system.DeviceChoice, family, wanted string) error {
	device, _, _ := strings.Cut(wanted, ":")
	switch device {
	case "", engines.Auto, engines.CPU:
		return nil
	case "metal":
		device = "coreml"
	}
	for _, c := range all {
		if c.Family != family || c.Device != device {
			continue
		}
		if c.Reason == nil {
			return nil
		}
		return c.Reason.Err()
	}
	return engines.ErrNoGPU(device, engines.GPUNone, nil) // of another system
}
