package system

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cgroup returns the memory limit and use of the container in bytes (cgroup version 2). It reports false where there is no limit.
func cgroup(root string) (limit, used int64, ok bool) {
	limit, ok = number(filepath.Join(root, "memory.max"))
	if !ok {
		return 0, 0, false // "max": no limit
	}
	used, ok = number(filepath.Join(root, "memory.current"))
	return limit, used, ok
}

func number(path string) (int64, bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil
}
