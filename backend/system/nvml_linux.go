package system

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// nvmlMemory is nvmlMemory_t of NVML's API reference: total, free and used bytes.
type nvmlMemory [3]uint64

const nvmlNameSize = 96 // NVML_DEVICE_NAME_V2_BUFFER_SIZE

// nvml has the functions of the NVIDIA Management Library that gpus needs.
type nvml struct {
	start    func() int32
	shutdown func() int32
	count    func(*uint32) int32
	handle   func(uint32, *unsafe.Pointer) int32
	name     func(unsafe.Pointer, *byte, uint32) int32
	memory   func(unsafe.Pointer, *nvmlMemory) int32
}

// openNVML loads the library of the NVIDIA driver. It returns an error when there is no driver.
func openNVML(name string) (*nvml, func(), error) {
	library, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, nil, fmt.Errorf("load NVML: %w", err)
	}
	n := &nvml{}
	for symbol, target := range map[string]any{
		"nvmlInit_v2": &n.start, "nvmlShutdown": &n.shutdown, "nvmlDeviceGetCount_v2": &n.count,
		"nvmlDeviceGetHandleByIndex_v2": &n.handle, "nvmlDeviceGetName": &n.name, "nvmlDeviceGetMemoryInfo": &n.memory,
	} {
		address, err := purego.Dlsym(library, symbol)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("load NVML: %w", err), purego.Dlclose(library))
		}
		purego.RegisterFunc(target, address)
	}
	if code := n.start(); code != 0 {
		return nil, nil, errors.Join(fmt.Errorf("start NVML: error %d", code), purego.Dlclose(library))
	}
	return n, func() {
		n.shutdown()
		_ = purego.Dlclose(library) // an error changes nothing
	}, nil
}

// gpus returns the NVIDIA GPUs, none without their driver.
func gpus() []Device { return gpusOf("libnvidia-ml.so.1") }

func gpusOf(library string) []Device {
	n, end, err := openNVML(library)
	if err != nil {
		return nil
	}
	defer end()
	var count uint32
	if n.count(&count) != 0 {
		return nil
	}
	var out []Device
	for i := range count {
		var device unsafe.Pointer
		var memory nvmlMemory
		name := make([]byte, nvmlNameSize)
		if n.handle(i, &device) != 0 || n.name(device, &name[0], nvmlNameSize) != 0 {
			continue
		}
		d := Device{ID: fmt.Sprintf("cuda:%d", i), Name: cString(name)}
		if n.memory(device, &memory) == 0 {
			d.Memory = &Space{Total: int64(memory[0]), Free: int64(memory[1])}
		}
		out = append(out, d)
	}
	return out
}

func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
