package settings

import (
	"slices"
	"strconv"
	"strings"
)

// deviceSetting returns the setting of the device on which the models of a family run.
func deviceSetting(key, models string) Setting {
	return Setting{
		Key: key, Kind: Enum, Default: "auto", Range: "auto, cpu, cuda, cuda:N, directml, coreml",
		Values: []string{"auto", "cpu", "cuda", "directml", "coreml"}, also: isDevice,
		Sentence: "The device on which " + models + " models run; applies at their next load. auto is the CPU, or a GPU that was " +
			"measured to be faster. What cannot run on a GPU runs on the CPU, with a warning.",
	}
}

// isDevice reports whether a value names one of several GPUs, or that of a Mac by its other name.
func isDevice(value string) bool {
	name, number, numbered := strings.Cut(value, ":")
	if !numbered {
		return name == "metal"
	}
	n, err := strconv.Atoi(number)
	return slices.Contains([]string{"cuda", "directml"}, name) && err == nil && n >= 0 && n < 64 && strconv.Itoa(n) == number
}
