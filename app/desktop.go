//go:build desktop

package app

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/frontend"
)

// Bridge is the one binding of the window: it hands the page the address of the local API.
type Bridge struct{ here address }

// Address gives the URL and the token of the local API.
func (b *Bridge) Address() map[string]string {
	return map[string]string{"url": b.here.URL, "token": b.here.Token}
}

// open shows the window, onto the server that holds the data directory when there is one.
func (p *program) open(cmd *cobra.Command) error {
	data, _, err := p.dirs()
	if err != nil {
		return err
	}
	if a, ok := serverOf(cmd.Context(), data); ok {
		return p.show(cmd.Context(), "Voicewright (running server)", a)
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	ready, ended := make(chan address, 1), make(chan error, 1)
	go func() {
		ended <- p.runServer(ctx, serveFlags{allowOrigins: windowOrigins()}, func(a address) error {
			ready <- a
			return nil
		})
	}()
	select {
	case a := <-ready: // the window belongs on the main thread
		err := p.show(ctx, "Voicewright", a)
		stop()
		return errors.Join(err, <-ended)
	case err := <-ended:
		return err
	}
}

// windowOrigins are the origins of the window's page: Linux and macOS, Windows.
func windowOrigins() []string { return []string{"wails://wails", "http://wails.localhost"} }

// show runs the window until it is closed or ctx ends.
func (p *program) show(ctx context.Context, title string, a address) error {
	err := wails.Run(&options.App{
		Title: title, Width: 1200, Height: 800, MinWidth: 800, MinHeight: 600,
		AssetServer: &assetserver.Options{Assets: frontend.Assets()},
		Bind:        []any{&Bridge{a}},
		OnStartup: func(window context.Context) {
			context.AfterFunc(ctx, func() { runtime.Quit(window) })
		},
	})
	if err != nil {
		return backend.E(backend.CodeNotPermitted, "The window cannot be opened.",
			"Use voicewright serve and open the page in a browser.").Because(err)
	}
	return nil
}
