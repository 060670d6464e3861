//go:build unix

package enginetest

import "syscall"

// ProcessorTime returns the processor time in seconds that this process and its ended children have used.
func ProcessorTime() (self, children float64) {
	used := func(who int) float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	return used(syscall.RUSAGE_SELF), used(syscall.RUSAGE_CHILDREN)
}
