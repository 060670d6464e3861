package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
)

// ServeOptions are the flags of serve.
type ServeOptions struct {
	Addr         string // HOST:PORT; used when AddrGiven, else the address of the settings
	AddrGiven    bool
	Token        string // empty = the saved one
	NoToken      bool
	Offline      bool
	AllowOrigins []string
	AllowHosts   []string
	Cert, Key    string
	Warn         func(string) // prints a warning; nil when the address is known to be a loopback one
}

func (p *program) serve() *cobra.Command {
	f := ServeOptions{Warn: p.complain}
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the local API and the web page", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.AddrGiven = cmd.Flags().Changed("addr")
			if !cmd.Flags().Changed("token") {
				f.Token = os.Getenv("VOICEWRIGHT_TOKEN") // a default of the flag would be printed by --help
			}
			if f.NoToken && cmd.Flags().Changed("token") {
				return Usagef("give --token or --no-token, not both")
			}
			o, err := p.options()
			if err != nil {
				return err
			}
			return p.app.Serve(cmd.Context(), o, f, p.printAddress)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Addr, "addr", "", "HOST:PORT; port 0 = any (default 127.0.0.1:7411, else the next free port)")
	flags.StringVar(&f.Token, "token", "", "token of the API (default: VOICEWRIGHT_TOKEN, else made once and kept)")
	flags.BoolVar(&f.NoToken, "no-token", false, "ask for no token; only on a loopback address")
	flags.BoolVar(&f.Offline, "offline", false, "open no connection but the loopback one")
	flags.StringSliceVar(&f.AllowOrigins, "allow-origin", nil, "one more origin that a page may have")
	flags.StringSliceVar(&f.AllowHosts, "allow-host", nil, "one more NAME[:PORT] by which the server may be called")
	flags.StringVar(&f.Cert, "tls-cert", "", "certificate file for HTTPS")
	flags.StringVar(&f.Key, "tls-key", "", "key file for HTTPS")
	return cmd
}

// printAddress tells where the server listens, in the exact lines that other programs read.
func (p *program) printAddress(a client.Address) error {
	if p.json {
		return p.printJSON(map[string]string{"url": a.URL, "token": a.Token})
	}
	page := a.URL + "/"
	if a.Token != "" {
		page += "#token=" + a.Token
	}
	return p.printf("listening on %s\nopen %s\n", a.URL, page)
}
