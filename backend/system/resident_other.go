//go:build !linux

package system

import (
	"context"
	"os"

	"github.com/shirou/gopsutil/v4/process"
)

// Resident returns the resident memory of this process in bytes, 0 where it is unknown.
func Resident(ctx context.Context) int64 {
	self, err := process.NewProcessWithContext(ctx, int32(os.Getpid())) // a process id fits
	if err != nil {
		return 0
	}
	info, err := self.MemoryInfoWithContext(ctx)
	if err != nil {
		return 0
	}
	return int64(info.RSS)
}
