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

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/frontend"
)

// serveFlags are what `serve` can be told.
type serveFlags struct {
	addr, token, cert, key   string
	noToken, offline         bool
	allowOrigins, allowHosts []string
	addrGiven                bool
}

func (p *program) serve() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the local API and the web page", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.addrGiven = cmd.Flags().Changed("addr")
			if !cmd.Flags().Changed("token") {
				f.token = os.Getenv("VOICEWRIGHT_TOKEN") // a default of the flag would be printed by --help
			}
			if f.noToken && cmd.Flags().Changed("token") {
				return usage("give --token or --no-token, not both")
			}
			return p.runServer(cmd.Context(), f, p.printAddress)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "", "HOST:PORT; port 0 = any (default 127.0.0.1:7411, else the next free port)")
	flags.StringVar(&f.token, "token", "", "token of the API (default: VOICEWRIGHT_TOKEN, else made once and kept)")
	flags.BoolVar(&f.noToken, "no-token", false, "ask for no token; only on a loopback address")
	flags.BoolVar(&f.offline, "offline", false, "open no connection but the loopback one")
	flags.StringSliceVar(&f.allowOrigins, "allow-origin", nil, "one more origin that a page may have")
	flags.StringSliceVar(&f.allowHosts, "allow-host", nil, "one more NAME[:PORT] by which the server may be called")
	flags.StringVar(&f.cert, "tls-cert", "", "certificate file for HTTPS")
	flags.StringVar(&f.key, "tls-key", "", "key file for HTTPS")
	return cmd
}

// printAddress tells where the server listens, in the exact lines that other programs read.
func (p *program) printAddress(a address) error {
	if p.json {
		return p.printJSON(map[string]string{"url": a.URL, "token": a.Token})
	}
	page := a.URL + "/"
	if a.Token != "" {
		page += "#token=" + a.Token
	}
	return p.printf("listening on %s\nopen %s\n", a.URL, page)
}

// shutdownGrace is how long running speech may go on after a stop was asked for.
const shutdownGrace = 10 * time.Second

// runServer serves until ctx ends, then lets running work finish.
func (p *program) runServer(ctx context.Context, f serveFlags, ready func(address) error) (err error) {
	data, modelsDir, err := p.dirs()
	if err != nil {
		return err
	}
	log, err := p.logger()
	if err != nil {
		return err
	}
	tlsConfig, err := loadTLS(f.cert, f.key)
	if err != nil {
		return err
	}
	var listener net.Listener
	config := Config{
		Data: data, Models: modelsDir, Offline: f.offline, AllowOrigins: append(windowOrigins(), f.allowOrigins...), AllowHosts: f.allowHosts,
		TLS: tlsConfig != nil, UI: frontend.Assets(), Log: log, Addr: func() net.Addr { return listener.Addr() },
		Token: func() (string, error) { return serverToken(data, f) },
	}
	studio, err := Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStudio(studio)) }()
	if !f.addrGiven {
		f.addr = studio.settings.String(settings.APIAddress)
	}
	if listener, err = listen(ctx, f); err != nil {
		return err
	}
	if err := p.checkExposure(listener.Addr(), f); err != nil {
		return errors.Join(err, listener.Close())
	}
	here := address{URL: "http://" + listener.Addr().String(), Token: studio.token}
	if tlsConfig != nil {
		listener = tls.NewListener(listener, tlsConfig)
		here.URL = "https://" + listener.Addr().String()
		here.Certificate = fingerprint(tlsConfig.Certificates[0].Certificate[0])
	}
	if err := announce(data, here); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { _ = os.Remove(addressFile(data)) }()
	server := &http.Server{
		Handler: studio.API.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ConnState: new(idleConns).changed, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelInfo),
	}
	failed := make(chan error, 1)
	go func() { failed <- backend.Contain(func() error { return server.Serve(listener) }) }()
	if err := ready(here); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		return stopServer(studio, server)
	}
}

// windowOrigins are the origins of the page in our own window, which may open onto any server: Linux and macOS, Windows.
func windowOrigins() []string { return []string{"wails://wails", "http://wails.localhost"} }

// stopServer takes no new requests, lets running speech and its requests end, and ends cleanly.
func stopServer(studio *Studio, server *http.Server) error {
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- backend.Contain(func() error { return server.Shutdown(context.WithoutCancel(grace)) })
	}()
	if err := studio.speech.Close(grace); err != nil {
		return err
	}
	studio.API.Close()
	select {
	case err := <-ended:
		return err
	case <-time.After(2 * time.Second): // a client that does not read its answer
		return errors.Join(server.Close(), <-ended)
	}
}

func closeStudio(studio *Studio) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	return studio.Close(ctx)
}

// listen opens the wanted address; one that nobody asked for gives way to the next free port.
func listen(ctx context.Context, f serveFlags) (net.Listener, error) {
	host, portText, err := net.SplitHostPort(f.addr)
	if err != nil {
		return nil, usage("--addr is HOST:PORT")
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, usage("--addr: the port is 0 to 65535")
	}
	tries := 1
	if !f.addrGiven {
		tries = 100
	}
	for i := range tries {
		var l net.Listener
		l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port+i)))
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, backend.E(backend.CodeAddressInUse, "Another program listens on "+f.addr+".",
			"Choose another port with --addr, or 0 for any.").Because(err)
	}
	return nil, backend.E(backend.CodeNotPermitted, "Voicewright cannot listen on "+f.addr+".",
		"Choose an address of this machine and a port over 1023 with --addr.").Because(err)
}

// checkExposure guards an address that others can reach.
func (p *program) checkExposure(addr net.Addr, f serveFlags) error {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return nil
	}
	if f.noToken {
		return usage("--no-token is for a loopback address only")
	}
	if f.cert == "" {
		p.complain("Warning: everyone who can reach " + addr.String() +
			" sees the traffic, as it is plain HTTP. Give --tls-cert and --tls-key.")
	}
	return nil
}

func loadTLS(cert, key string) (*tls.Config, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, usage("--tls-cert and --tls-key: %s", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// serverToken gives the token of the flags, else the one that is kept in the data directory, made at the first start.
func serverToken(data string, f serveFlags) (string, error) {
	if f.noToken {
		return "", nil
	}
	if f.token != "" {
		return f.token, nil
	}
	path := filepath.Join(data, "token")
	if isSecret(path) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return "", backend.FileError("read the token", "the data directory "+data, err)
		}
		if kept := strings.TrimSpace(string(raw)); kept != "" {
			return kept, nil
		}
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	token := base64.RawURLEncoding.EncodeToString(secret)
	if err := writePrivate(path, []byte(token+"\n")); err != nil {
		return "", backend.FileError("keep the token", "the data directory "+data, err)
	}
	return token, nil
}
