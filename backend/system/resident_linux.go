package system

import (
	"context"
	"fmt"
	"os"
)

// Resident returns the resident memory of this process in bytes, 0 where it is unknown.
func Resident(context.Context) int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident int64 // in pages (proc_pid_statm(5))
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
