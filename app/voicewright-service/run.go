package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runCommand returns the command that serves the API.
func (p *program) runCommand(settings *pflag.FlagSet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "run", Short: "Serve the hosted API", Args: noArgs,
		Long: "Serve the hosted API until SIGTERM. Each flag is also an environment variable, VOICEWRIGHT_SERVICE_ and its name in\n" +
			"capitals with underscores, and a key of --config. A flag wins over the variable, and that over the file.\n" +
			"The file also has the keys rates, limits, plan_caps, plan_credits and queue_timeout: see docs/service.md.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.options.load(settings, p.lookupEnv); err != nil {
				return err
			}
			return p.serve(cmd.Context())
		},
	}
	cmd.Flags().AddFlagSet(settings)
	return cmd
}

// serve runs the service until ctx ends.
func (p *program) serve(ctx context.Context) (err error) {
	v, err := p.options.validate()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(p.err, nil))
	listener, err := listen(ctx, "--addr", v.addr)
	if err != nil {
		return err
	}
	metrics, err := listenMetrics(ctx, v.metricsAddr)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, metrics.close()) }()
	parts, err := open(ctx, v, listener.Addr(), log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, parts.close()) }()
	s := &server{
		http: parts.http, drain: parts.service.Drain, calls: parts.service.Close, log: log,
		drainDelay: v.drainDelay, grace: parts.longest,
	}
	if v.grace != "" {
		s.grace = v.graceTime
	}
	return s.run(ctx, listener, func() error {
		_, err := fmt.Fprintf(p.out, "listening on %s\n", addressOf(listener.Addr()))
		if err != nil || metrics == nil {
			return err
		}
		metrics.serve(parts.metrics)
		_, err = fmt.Fprintf(p.out, "metrics on %s\n", metrics.url())
		return err
	})
}

// addressOf returns the address of the server as a URL.
func addressOf(addr net.Addr) string { return "http://" + addr.String() }
