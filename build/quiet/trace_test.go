//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadTrace(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.WriteFile(trace, []byte(`10 execve("bin/voicewright", ["bin/voicewright", "serve"], 0x7ffe /* 4 vars */) = 0
11 execve("/usr/bin/espeak-ng", ["/usr/bin/espeak-ng", "--version"], 0x3cf2 /* 5 vars */ <unfinished ...>
11 <... execve resumed>)             = 0
12 execve("/bin/sh", ["sh", "-c", "echo `+"`blkid; hostname`"+`"], 0x3cf2 /* 5 vars */) = 0
10 connect(7, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0
10 connect(7, {sa_family=AF_UNIX, sun_path="/tmp/quiet-1/session-bus"}, 110) = -1 ENOENT (No such file or directory)
10 connect(7, {sa_family=AF_INET, sin_port=htons(7411), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
10 connect(7, {sa_family=AF_INET6, sin6_port=htons(80), inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0
10 connect(7, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0
10 sendto(7, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = 1
10 connect(7, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0
`), 0o600))
	c, err := readTrace(trace)
	require.NoError(t, err)
	require.Equal(t, []string{"espeak-ng", "sh"}, c.children)
	require.Equal(t, []string{`child ["sh", "-c", "echo ` + "`blkid; hostname`" + `"]`}, c.unexpectedChildren())
	require.Len(t, c.addresses, 3, "a nameserver, and two other machines")
	require.Len(t, c.buses, 1)
}

func TestAddresses(t *testing.T) {
	packet := make([]byte, 40)
	packet[0] = 0x45
	copy(packet[12:], []byte{127, 0, 0, 1, 192, 0, 2, 1})
	l := &packetLog{}
	l.record(packet)
	require.Len(t, l.seen(), 1)
	copy(packet[16:], []byte{127, 0, 0, 53})
	l.record(packet)
	require.Len(t, l.seen(), 1, "both ends are this machine")
	l.record([]byte{0x45, 0})
	require.Len(t, l.seen(), 2, "an unreadable packet counts")
}
