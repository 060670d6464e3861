//go:build linux

package main

import (
	"bufio"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// calls are the system calls of the program that strace recorded.
type calls struct {
	children  []string // names of the programs that were started, sorted, without the first
	commands  []string // their command lines as strace prints them, without those of allowed programs
	addresses []string // calls with an address that is not a loopback one
	buses     []string // calls that connect to the session bus, on which keychains are
}

var (
	startOf   = regexp.MustCompile(`execve\("([^"]+)", (\[.*\])`)
	addressOf = regexp.MustCompile(`inet_(?:addr\("|pton\(AF_INET6, ")([^"]+)"`)
)

// readTrace reads the output of strace.
func readTrace(path string) (*calls, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	c, first := &calls{}, true
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if m := startOf.FindStringSubmatch(lines.Text()); m != nil {
			if !first {
				c.add(filepath.Base(m[1]), m[2])
			}
			first = false
		}
		if strings.Contains(lines.Text(), sessionBus+`"`) {
			c.buses = append(c.buses, "call "+lines.Text())
		}
		for _, m := range addressOf.FindAllStringSubmatch(lines.Text(), -1) {
			// A nameserver on the loopback forwards queries.
			if addr, err := netip.ParseAddr(m[1]); err != nil || !addr.Unmap().IsLoopback() || strings.Contains(lines.Text(), "htons(53)") {
				c.addresses = append(c.addresses, "call "+lines.Text())
			}
		}
	}
	slices.Sort(c.children)
	c.children = slices.Compact(c.children)
	return c, lines.Err()
}

func (c *calls) add(name, command string) {
	c.children = append(c.children, name)
	if !slices.Contains(allowedChildren, name) {
		c.commands = append(c.commands, "child "+command)
	}
}

// unexpectedChildren returns the processes that are not in allowedChildren.
func (c *calls) unexpectedChildren() []string { return c.commands }
