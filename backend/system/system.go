// Package system reads the properties of the machine (processor, memory, disk, libraries), and runs the checks of the doctor. An
// unknown property is null, not 0.
package system

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/mem"

	"github.com/voicewright/voicewright/backend"
)

// Info describes the machine.
type Info struct {
	OS        string            `json:"os"`
	Arch      string            `json:"arch"`
	Devices   []Device          `json:"devices"`
	Choices   []DeviceChoice    `json:"device_choices" doc:"the GPUs that the settings of devices can name on this system"`
	Memory    *Space            `json:"memory" doc:"of the machine, or of the container when that has less; null = unknown"`
	Disk      *Space            `json:"disk" doc:"of the data directory; null = unknown"`
	Libraries []Library         `json:"libraries"`
	Encoders  []string          `json:"encoders" doc:"audio formats that can be written"`
	Offline   bool              `json:"offline"`
	Paths     map[string]string `json:"paths"`
}

// Device is a device on which models run.
type Device struct {
	ID    string `json:"id"` // cpu, cuda:0, ...
	Name  string `json:"name"`
	Cores int    `json:"cores,omitempty" doc:"logical cores that this process may use"`
	// Memory is that of the device; null for the CPU, which uses Info.Memory, and where it is unknown.
	Memory *Space `json:"memory"`
}

// Space is an amount of memory or disk, in bytes.
type Space struct {
	Total int64 `json:"total"`
	Free  int64 `json:"free"`
}

// Library is a library or program that Voicewright uses.
type Library struct {
	Name      string `json:"name"`
	Version   string `json:"version" doc:"empty when unknown"`
	Available bool   `json:"available"`
	Reason    string `json:"reason,omitempty" doc:"why it is not available, and what to do"`

	Install *backend.Installation `json:"install" doc:"how to get the program where it is not available; null for parts of Voicewright"`
}

// Host returns processor and memory, and the disk of dir.
func Host(ctx context.Context, dir string) Info {
	device := Device{ID: "cpu", Name: runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
	if list, err := cpu.InfoWithContext(ctx); err == nil && len(list) > 0 && list[0].ModelName != "" {
		device.Name = list[0].ModelName
	}
	return Info{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Devices: append([]Device{device}, gpus()...),
		Memory: memory(ctx), Disk: Disk(ctx, dir),
	}
}

func memory(ctx context.Context) *Space {
	vm, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return nil
	}
	space := bound(Space{Total: int64(vm.Total), Free: int64(vm.Available)}, "/sys/fs/cgroup")
	return &space
}

// Memory returns the memory of the machine, or of the container when that has less, in bytes; ok is false where it is unknown.
func Memory(ctx context.Context) (total, free int64, ok bool) {
	space := memory(ctx)
	if space == nil {
		return 0, 0, false
	}
	return space.Total, space.Free, true
}

// bound limits the machine's memory to that of the container whose cgroup files are in root.
func bound(machine Space, root string) Space {
	limit, used, ok := cgroup(root)
	if !ok || limit >= machine.Total {
		return machine
	}
	return Space{Total: limit, Free: max(0, min(machine.Free, limit-used))}
}

// Disk returns the space of the disk of dir, or of its nearest parent that exists; nil where it is unknown.
func Disk(ctx context.Context, dir string) *Space {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	usage, err := disk.UsageWithContext(ctx, dir)
	if err != nil {
		return nil
	}
	return &Space{Total: int64(usage.Total), Free: int64(usage.Free)}
}
