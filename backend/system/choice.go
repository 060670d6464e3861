package system

import "github.com/voicewright/voicewright/backend"

// DeviceChoice is a GPU that the settings of devices can name on this system.
type DeviceChoice struct {
	Family    string           `json:"family" enum:"speech,transcription"`
	Device    string           `json:"device" enum:"cuda,directml,coreml"`
	Available *bool            `json:"available" doc:"null = not known before the first model is loaded"`
	Reason    *backend.Failure `json:"reason" doc:"why it is not available, else null"`
}

// Choices returns the values of the device settings besides auto and cpu that make sense on an operating system (GOOS).
func Choices(system string) []string {
	switch system {
	case "windows":
		return []string{"cuda", "directml"}
	case "darwin":
		return []string{"coreml"}
	default:
		return []string{"cuda"}
	}
}

// GPUMemory returns the memory of a GPU such as cuda:0, in bytes; ok is false where it is unknown.
func GPUMemory(device string) (total, free int64, ok bool) {
	for _, d := range gpus() {
		if d.ID == device && d.Memory != nil {
			return d.Memory.Total, d.Memory.Free, true
		}
	}
	return 0, 0, false
}
