package secrets

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// silentBus is a bus that accepts connections and never answers.
func silentBus(t *testing.T) (address string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var open []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			open = append(open, c)
		}
		for _, c := range open {
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "unix:path=" + path
}

func service(address string, l limits) *secretService {
	return &secretService{address: func() string { return address }, desktop: func() bool { return false }, limits: l}
}

var short = limits{connect: 20 * time.Millisecond, answer: time.Second, prompt: time.Second}

// TestBusThatNeverAnswers also has goleak find what such a bus would leave behind.
func TestBusThatNeverAnswers(t *testing.T) {
	t.Parallel()
	p := service(silentBus(t), short)
	for range 20 {
		_, err := p.get(t.Context(), "item")
		requireUnavailable(t, err, "timeout")
	}
	requireUnavailable(t, p.set(t.Context(), "item", "x"), "timeout")
	requireUnavailable(t, p.remove(t.Context(), "item"), "timeout")
	requireUnavailable(t, p.check(t.Context()), "timeout")
}

func TestBusThatNeverAnswersLetsCallersGo(t *testing.T) {
	t.Parallel()
	p := service(silentBus(t), limits{connect: time.Hour, answer: time.Hour, prompt: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := p.get(ctx, "item")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestSessionsWithoutAKeychain(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "unix:path=/nowhere/bus", "unixexec:path=/bin/false", "tcp:host=192.0.2.1,port=1", "nonsense", "autolaunch:"} {
		p := service(address, short)
		_, err := p.get(t.Context(), "item")
		requireUnavailable(t, err, "absent")
		assert.Equal(t, address != "", p.present())
	}
}
