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

// instance is the right of this process to be the only window of a data directory. A second start makes a request to the
// first one, whose window then comes to the front. It needs no session bus: a lock file marks the first instance, and a file
// beside it contains the address for the request.
type instance struct {
	lock *flock.Flock
	file string

	mu      sync.Mutex
	server  *http.Server // while it listens
	stopped bool
}

func instanceFile(data string) string { return filepath.Join(data, "window-instance.json") }

// arrival is what a start of the program brings to the window that is open already.
type arrival struct {
	Activation string   `json:"activation"` // the token with which the desktop lets a window come to the front, "" for none
	Files      []string `json:"files"`      // to open: absolute paths
}

// acquireInstance makes this process the only window of the data directory. It returns nil when there is one already, which
// has come to the front and got the files of this start. Errors: data_dir_locked when the other one does not respond within
// timeout, not_permitted.
func acquireInstance(ctx context.Context, data string, now arrival, timeout time.Duration) (*instance, error) {
	if err := datadir.Make(data); err != nil {
		return nil, err
	}
	i := &instance{lock: flock.New(filepath.Join(data, "window.lock")), file: instanceFile(data)}
	for deadline := time.Now().Add(timeout); ; {
		ok, err := i.lock.TryLock()
		switch {
		case err != nil:
			return nil, backend.FileError("lock the data directory", "the data directory "+data, err)
		case ok:
			_ = os.Remove(i.file) // of a window that was killed
			return i, nil
		case activateOther(ctx, data, now):
			return nil, nil
		case time.Now().After(deadline):
			return nil, backend.E(backend.CodeDataDirLocked, "The Voicewright window of "+data+" is open but not responding.",
				"Close it, or choose another folder with --data.").With("data", data)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// maxArrival is the size of the request of a second start, in bytes.
const maxArrival = 1 << 20

// listen accepts requests of second starts. arrived brings the window to the front and opens the files.
func (i *instance) listen(ctx context.Context, arrived func(arrival)) error {
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
			var now arrival
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxArrival)).Decode(&now); err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			now.Activation = validActivation(now.Activation)
			arrived(now)
			w.WriteHeader(http.StatusNoContent)
		}),
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stopped {
		return listener.Close()
	}
	i.server = server
	go func() { _ = backend.Contain(func() error { return server.Serve(listener) }) }() // until stopListening
	raw, err := json.Marshal(client.Address{URL: "http://" + listener.Addr().String(), Token: token})
	if err != nil {
		return fmt.Errorf("encode the address: %w", err)
	}
	if err := files.Write(i.file, raw, 0o600); err != nil {
		return fmt.Errorf("write the address for a second start: %w", err)
	}
	return nil
}

// stopListening refuses requests of second starts while the instance is kept: the window is closed and the program is ending.
func (i *instance) stopListening() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stopped = true
	if i.server == nil {
		return nil
	}
	return errors.Join(os.Remove(i.file), i.server.Close())
}

// release lets another process open a window of the data directory.
func (i *instance) release() error { return i.lock.Unlock() }

// activateOther brings the window of the first instance to the front with files to open, and reports whether it responded.
func activateOther(ctx context.Context, data string, now arrival) bool {
	var a client.Address
	raw, err := os.ReadFile(instanceFile(data))
	if err != nil || json.Unmarshal(raw, &a) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, datadir.HealthTimeout)
	defer cancel()
	resp, err := a.Client().Do(ctx, http.MethodPost, "/", now, nil)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusNoContent
}

// activation returns the token that the desktop passed to this program at its start: it allows a window to come to the front.
func activation() string {
	return validActivation(cmp.Or(os.Getenv("XDG_ACTIVATION_TOKEN"), os.Getenv("DESKTOP_STARTUP_ID")))
}

// validActivation returns "" for a token that no desktop creates: it comes from another program.
func validActivation(token string) string {
	const maxLength = 256
	for _, c := range []byte(token) {
		if c <= ' ' || c > '~' {
			return ""
		}
	}
	if len(token) > maxLength {
		return ""
	}
	return token
}
