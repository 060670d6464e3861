//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	insideVariable = "QUIET_INSIDE"
	notIsolated    = 3 // exit status of a namespace that could not be set up
	nameserver     = "192.0.2.53"
)

var errNotIsolated = errors.New("namespaces are not allowed")

func insideNamespace() bool { return os.Getenv(insideVariable) != "" }

// runInNamespace runs this command again as root of new user, network and mount namespaces.
func runInNamespace(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "/proc/self/exe", os.Args[1:]...) //nolint:forbidigo // this command itself
	cmd.Env = append(os.Environ(), insideVariable+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w (%w)", errNotIsolated, err)
	}
	err := cmd.Wait()
	if cmd.ProcessState.ExitCode() == notIsolated {
		return errNotIsolated
	}
	return err
}

// isolate routes every address of this network namespace to its loopback, starts a nameserver there, and records packets.
func isolate() (*packetLog, error) {
	for _, args := range [][]string{
		{"link", "set", "lo", "up"},
		{"address", "add", nameserver + "/32", "dev", "lo"},
		{"route", "add", "local", "default", "dev", "lo"},
		{"route", "add", "default", "dev", "lo"},
	} {
		if output, err := exec.Command("ip", args...).CombinedOutput(); err != nil { //nolint:noctx,forbidigo // they end at once
			return nil, fmt.Errorf("ip %v: %w: %s", args, err, output)
		}
	}
	if err := replaceResolver(); err != nil {
		return nil, err
	}
	if err := answerNames(); err != nil {
		return nil, err
	}
	return listenToPackets()
}

// replaceResolver mounts a resolv.conf with our nameserver over the system's.
func replaceResolver() error {
	conf, err := os.CreateTemp("", "resolv-*.conf")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(conf.Name()) }()
	_, err = conf.WriteString("nameserver " + nameserver + "\n")
	if err := errors.Join(err, conf.Close()); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount(conf.Name(), target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount %s: %w", target, err)
	}
	return nil
}

// answerNames answers every DNS query with an address, so that the program then also tries to connect.
func answerNames() error {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(nameserver), Port: 53})
	if err != nil {
		return fmt.Errorf("listen for queries: %w", err)
	}
	go func() {
		for query := make([]byte, 1500); ; {
			n, from, err := conn.ReadFromUDP(query)
			if err != nil {
				return
			}
			if n > 12 {
				_, _ = conn.WriteToUDP(answerTo(query[:n]), from)
			}
		}
	}()
	return nil
}

// answerTo returns the response to a DNS query with one question: an A record with an address for documentation.
func answerTo(query []byte) []byte {
	answer := append([]byte{}, query...)
	copy(answer[2:], []byte{0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0})
	return append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 198, 51, 100, 7)
}

// packetLog records the packets whose source or destination is not a loopback address.
type packetLog struct {
	mu    sync.Mutex
	found []string
}

func (l *packetLog) seen() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.found...)
}

// listenToPackets records every IP packet of the loopback.
func listenToPackets() (*packetLog, error) {
	const every = unix.ETH_P_ALL<<8&0xff00 | unix.ETH_P_ALL>>8 // in network order
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, every)
	if err != nil {
		return nil, fmt.Errorf("listen to packets: %w", err)
	}
	l := &packetLog{}
	go func() {
		for packet := make([]byte, 1<<16); ; {
			n, from, err := unix.Recvfrom(fd, packet, 0)
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				l.add("the packets could not be read: " + err.Error())
				return
			}
			if at, ok := from.(*unix.SockaddrLinklayer); ok && at.Pkttype != unix.PACKET_OUTGOING { // each packet is received twice
				l.record(packet[:n])
			}
		}
	}()
	return l, nil
}

func (l *packetLog) record(packet []byte) {
	from, to, ok := addresses(packet)
	if ok && from.IsLoopback() && to.IsLoopback() {
		return
	}
	l.add(fmt.Sprintf("packet from %s to %s: %.120q", from, to, packet))
}

func (l *packetLog) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = append(l.found, line)
}

// addresses returns source and destination of an IP packet.
func addresses(packet []byte) (from, to netip.Addr, ok bool) {
	switch {
	case len(packet) >= 20 && packet[0]>>4 == 4:
		return netip.AddrFrom4([4]byte(packet[12:16])), netip.AddrFrom4([4]byte(packet[16:20])), true
	case len(packet) >= 40 && packet[0]>>4 == 6:
		return netip.AddrFrom16([16]byte(packet[8:24])), netip.AddrFrom16([16]byte(packet[24:40])), true
	}
	return from, to, false
}
