package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
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
	Cert, Key    string       // files for HTTPS; both empty = HTTP
	Warn         func(string) // prints a warning
}

func (p *program) serve() *cobra.Command {
	f := ServeOptions{Warn: func(warning string) { p.notef("%s", warning) }}
	cmd := &cobra.Command{
		Use: "serve", Short: "Start the local API and the web interface", Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.AddrGiven = cmd.Flags().Changed("addr")
			if !cmd.Flags().Changed("token") {
				f.Token = os.Getenv("VOICEWRIGHT_TOKEN") // as the default of the flag, --help would print it
			}
			if f.NoToken && cmd.Flags().Changed("token") {
				return usage.Errorf("use --token or --no-token, not both")
			}
			o, err := p.options()
			if err != nil {
				return err
			}
			return p.app.Serve(cmd.Context(), o, f, p.printAddress)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Addr, "addr", "",
		"address to listen on, as HOST:PORT; port 0 picks a free one (default 127.0.0.1:7411 or the next free port)")
	flags.StringVar(&f.Token, "token", "", "access token (default: VOICEWRIGHT_TOKEN, else generated once and saved)")
	flags.BoolVar(&f.NoToken, "no-token", false, "require no access token; only on a loopback address")
	flags.BoolVar(&f.Offline, "offline", false, "make no network connections")
	flags.StringSliceVar(&f.AllowOrigins, "allow-origin", nil, "additional browser origin to allow")
	flags.StringSliceVar(&f.AllowHosts, "allow-host", nil, "additional host name to accept, as NAME or NAME:PORT")
	flags.StringVar(&f.Cert, "tls-cert", "", "certificate file for HTTPS")
	flags.StringVar(&f.Key, "tls-key", "", "key file for HTTPS")
	return cmd
}

// printAddress prints the address of the server, in the exact lines that other programs read.
func (p *program) printAddress(a client.Address) error {
	page := a.URL + "/"
	if a.Token != "" {
		page += "#token=" + a.Token
	}
	return p.print(map[string]string{"url": a.URL, "token": a.Token}, "listening on %s\nopen %s", a.URL, page)
}
