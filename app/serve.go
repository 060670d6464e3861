package app

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/app/desktop"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/frontend"
)

// runServer serves the API until ctx ends, then lets running work finish. It calls ready once it listens. When a backup is restored,
// the library is closed and the restored one is served at the same address.
func runServer(ctx context.Context, o cli.Options, f cli.ServeOptions, ready func(client.Address) error) error {
	for again := false; ; again = true {
		restored, err := serveLibrary(ctx, o, &f, again, ready)
		if !restored || ctx.Err() != nil {
			return err
		}
		if err != nil { // what was running did not end in time; it is failed at the start, as after a crash
			o.Log.WarnContext(ctx, "close the library", "error", err)
		}
		ready = func(client.Address) error { return nil }
	}
}

// openLibrary opens the studio. With again, another command may have the data directory for a while, and a restored library that
// cannot be opened makes way for the former one. Other errors say nothing about the library, which stays.
func openLibrary(ctx context.Context, config Config, again bool) (*Studio, error) {
	for waits := false; ; waits = true {
		studio, err := Open(ctx, config)
		if err == nil || !again || ctx.Err() != nil {
			return studio, err
		}
		switch backend.CodeOf(err) {
		case backend.CodeDatabaseCorrupt, backend.CodeDatabaseNewer:
			config.Log.ErrorContext(ctx, "open the restored library; the former one is put back", "error", err)
			return openFormer(ctx, config)
		case backend.CodeDataDirLocked:
			if !waits {
				config.Log.WarnContext(ctx, "wait until another command has left the data directory", "data", config.Data)
			}
		default:
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// openFormer opens the studio with the library from before the restore.
func openFormer(ctx context.Context, config Config) (*Studio, error) {
	if err := undoRestore(config.Data); err != nil {
		return nil, err
	}
	studio, err := Open(ctx, config)
	if err == nil {
		studio.restorer.undone = true
	}
	return studio, err
}

// serveLibrary is runServer for one library; restored is set when another one replaces it. f gets the address and the token, which
// stay the same.
func serveLibrary(
	ctx context.Context, o cli.Options, f *cli.ServeOptions, again bool, ready func(client.Address) error,
) (restored bool, err error) {
	data, log := o.Data, o.Log
	tlsConfig, err := loadTLS(f.Cert, f.Key)
	if err != nil {
		return false, err
	}
	var listener net.Listener
	config := Config{
		Data: data, Models: o.Models, Offline: f.Offline, AllowOrigins: f.AllowOrigins, AllowHosts: f.AllowHosts,
		TLS: tlsConfig != nil, UI: frontend.Assets(), Log: log, Addr: func() net.Addr { return listener.Addr() },
		Token: func() (string, error) { return serverToken(data, *f) },
	}
	studio, err := openLibrary(ctx, config, again)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, closeStudio(ctx, studio, log)) }()
	if !f.AddrGiven {
		f.Addr = studio.settings.String(settings.APIAddress)
	}
	if listener, err = listenAgain(ctx, *f, again); err != nil {
		return false, err
	}
	if err := checkExposure(listener.Addr(), *f); err != nil {
		return false, errors.Join(err, listener.Close())
	}
	f.Addr, f.AddrGiven, f.Token = listener.Addr().String(), true, studio.token
	address := client.Address{URL: "http://" + listener.Addr().String(), Token: studio.token}
	if tlsConfig != nil {
		listener = tls.NewListener(listener, tlsConfig)
		address.URL = "https://" + listener.Addr().String()
		address.Certificate = client.Fingerprint(tlsConfig.Certificates[0].Certificate[0])
	}
	if err := datadir.Announce(data, address); err != nil {
		return false, errors.Join(err, listener.Close())
	}
	defer func() { _ = os.Remove(datadir.AddressFile(data)) }()
	studio.books.Resume()
	server := &http.Server{
		Handler: studio.API.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ConnState: new(idleConns).changed, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelInfo),
	}
	failed := make(chan error, 1)
	go func() { failed <- backend.Contain(func() error { return server.Serve(listener) }) }()
	if err := ready(address); err != nil {
		return false, errors.Join(err, server.Close())
	}
	studio.startDictation(ctx)
	select {
	case err := <-failed:
		return false, fmt.Errorf("serve: %w", err)
	case <-studio.restorer.restored:
		return true, stopServer(studio, server)
	case <-ctx.Done():
		return false, unlessAsked(ctx, log, stopServer(studio, server))
	}
}

// stopServer refuses new requests and waits until running speech, transcriptions and open requests have ended.
func stopServer(studio *Studio, server *http.Server) error {
	grace, cancel := context.WithTimeout(context.Background(), desktop.ShutdownGrace)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- backend.Contain(func() error { return server.Shutdown(context.WithoutCancel(grace)) })
	}()
	transcribed := make(chan error, 1)
	go func() {
		transcribed <- backend.Contain(func() error { return studio.transcribe.Close(grace) })
	}()
	if err := errors.Join(studio.speech.Close(grace), <-transcribed); err != nil {
		return err
	}
	studio.API.Close()
	select {
	case err := <-ended:
		return err
	case <-time.After(2 * time.Second): // a client that does not read its response
		return errors.Join(server.Close(), <-ended)
	}
}

// closeTimeout is how long a model may take to end its work once the grace is over.
const closeTimeout = 2 * time.Second

func closeStudio(ctx context.Context, studio *Studio, log *slog.Logger) error {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return unlessAsked(ctx, log, studio.Close(limited))
}

// unlessAsked returns the error of closing, unless ctx has ended: a server that was asked to end has done so.
func unlessAsked(ctx context.Context, log *slog.Logger, err error) error {
	if err != nil && ctx.Err() != nil {
		log.Warn("end the server", "error", err)
		return nil //nolint:nilerr // it is in the log
	}
	return err
}

// addressInUse reports whether a program listens on an address already. Windows has a number of its own for that, WSAEADDRINUSE, which
// is not what Go calls EADDRINUSE there.
func addressInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.Errno(10048))
}

// listen listens on the chosen address. When the default one is in use, it tries the next ports.
func listen(ctx context.Context, f cli.ServeOptions) (net.Listener, error) {
	host, portText, err := net.SplitHostPort(f.Addr)
	if err != nil {
		return nil, usage.Errorf("--addr must be HOST:PORT")
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, usage.Errorf("--addr: the port must be 0 to 65535")
	}
	tries := 1
	if !f.AddrGiven {
		tries = 100
	}
	for i := range tries {
		var l net.Listener
		l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port+i)))
		if err == nil {
			return l, nil
		}
		if !addressInUse(err) {
			break
		}
	}
	if addressInUse(err) {
		return nil, backend.E(backend.CodeAddressInUse, f.Addr+" is already in use.",
			"Choose another port with --addr, or 0 for any free port.").WithCause(err)
	}
	return nil, backend.E(backend.CodeNotPermitted, "Voicewright cannot listen on "+f.Addr+".",
		"Choose an address of this computer and a port above 1023 with --addr.").WithCause(err)
}

// portWait is how long a port is waited for that another program takes while the restored library is opened.
const portWait = 10 * time.Second

// listenAgain is listen. With again, the port was this program's a moment ago, and is waited for if it is taken.
func listenAgain(ctx context.Context, f cli.ServeOptions, again bool) (net.Listener, error) {
	waiting, cancel := context.WithTimeout(ctx, portWait)
	defer cancel()
	for {
		l, err := listen(ctx, f)
		if err == nil || !again || backend.CodeOf(err) != backend.CodeAddressInUse {
			return l, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-waiting.Done():
			return nil, err
		}
	}
}

// checkExposure refuses to serve other machines without a token, and warns about HTTP.
func checkExposure(addr net.Addr, f cli.ServeOptions) error {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return nil
	}
	if f.NoToken {
		return usage.Errorf("--no-token works only with a loopback address")
	}
	if f.Cert == "" {
		f.Warn("Warning: connections to " + addr.String() + " are plain HTTP, which others on the network can read. " +
			"Use --tls-cert and --tls-key.")
	}
	return nil
}

func loadTLS(cert, key string) (*tls.Config, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, usage.Errorf("--tls-cert and --tls-key: %s", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// serverToken returns the token of the flags, else the one saved in the data directory, which the first start generates.
func serverToken(data string, f cli.ServeOptions) (string, error) {
	if f.NoToken {
		return "", nil
	}
	if f.Token != "" {
		return f.Token, nil
	}
	path := filepath.Join(data, "token")
	if datadir.IsSecret(path) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return "", backend.FileError("read the token", "the data directory "+data, err)
		}
		if saved := strings.TrimSpace(string(raw)); saved != "" {
			return saved, nil
		}
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	token := base64.RawURLEncoding.EncodeToString(secret)
	if err := files.Write(path, []byte(token+"\n"), 0o600); err != nil {
		return "", backend.FileError("save the token", "the data directory "+data, err)
	}
	return token, nil
}
