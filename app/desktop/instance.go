package desktop

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// door is what the one window of a data directory holds. A second start knocks, and the first window comes to the front.
// It needs no session bus: a lock says who has the window, and a file beside it where the knock is heard.
type door struct {
	lock *flock.Flock
	file string

	mu     sync.Mutex
	server *http.Server // while it listens
	deaf   bool
}

func doorFile(data string) string { return filepath.Join(data, "window-door.json") }

// takeDoor makes the caller the one window of the data directory. It gives nil when there is one already, which has come
// to the front by the activation token of the desktop, "" for none. Errors: data_dir_locked when the other one does not
// answer within patience, not_permitted.
func takeDoor(ctx context.Context, data, activation string, patience time.Duration) (*door, error) {
	if err := datadir.Make(data); err != nil {
		return nil, err
	}
	d := &door{lock: flock.New(filepath.Join(data, "window.lock")), file: doorFile(data)}
	for deadline := time.Now().Add(patience); ; {
		ok, err := d.lock.TryLock()
		switch {
		case err != nil:
			return nil, backend.FileError("lock the data directory", "the data directory "+data, err)
		case ok:
			_ = os.Remove(d.file) // of a window that was killed
			return d, nil
		case knock(ctx, data, activation):
			return nil, nil
		case time.Now().After(deadline):
			return nil, backend.E(backend.CodeDataDirLocked, "The window of "+data+" is open and does not answer.",
				"Close it, or choose another folder with --data.").With("data", data)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// listen hears knocks from now on. front brings the window to the front.
func (d *door) listen(ctx context.Context, front func(activation string)) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for a second start: %w", err)
	}
	token := rand.Text()
	server := &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			front(usableActivation(r.Header.Get(activationHeader)))
			w.WriteHeader(http.StatusNoContent)
		}),
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.deaf {
		return listener.Close()
	}
	d.server = server
	go func() { _ = backend.Contain(func() error { return server.Serve(listener) }) }() // ends with close
	raw, err := json.Marshal(client.Address{URL: "http://" + listener.Addr().String(), Token: token})
	if err != nil {
		return fmt.Errorf("encode the address: %w", err)
	}
	if err := files.Write(d.file, raw, 0o600); err != nil {
		return fmt.Errorf("write where a second start knocks: %w", err)
	}
	return nil
}

// deafen hears no more knocks, while the place is still held: the window is gone and its program ends.
func (d *door) deafen() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deaf = true
	if d.server == nil {
		return nil
	}
	return errors.Join(os.Remove(d.file), d.server.Close())
}

// leave lets another window have the data directory.
func (d *door) leave() error { return d.lock.Unlock() }

const activationHeader = "Activation"

// knock asks the first window to come to the front.
func knock(ctx context.Context, data, activation string) bool {
	var a client.Address
	raw, err := os.ReadFile(doorFile(data))
	if err != nil || json.Unmarshal(raw, &a) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, datadir.HealthPatience)
	defer cancel()
	resp, err := a.Client().Do(ctx, http.MethodPost, "/", nil, map[string]string{activationHeader: activation})
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusNoContent
}

// activation is what the desktop gave this program when the user started it: with it, a window may come to the front.
func activation() string {
	return usableActivation(cmp.Or(os.Getenv("XDG_ACTIVATION_TOKEN"), os.Getenv("DESKTOP_STARTUP_ID")))
}

// usableActivation drops a token that no desktop makes: it comes from another program.
func usableActivation(token string) string {
	const longest = 256
	for _, c := range []byte(token) {
		if c <= ' ' || c > '~' {
			return ""
		}
	}
	if len(token) > longest {
		return ""
	}
	return token
}
