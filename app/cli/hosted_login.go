package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

func (p hostedCommands) hostedLogin() *cobra.Command {
	var keyStdin, noBrowser bool
	cmd := &cobra.Command{
		Use: "login", Short: "Sign in in the browser, or store an API key",
		Long: "Sign in to the hosted service in a browser, or store an API key with --key-stdin.\n" +
			"Without a browser on this machine, open the printed address in any browser. That one ends at an address that begins\n" +
			"with http://127.0.0.1, which it cannot open: copy it from the address bar and paste it here.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.CommandErrorf(cmd, "takes no argument: other programs could read a key there. Use --key-stdin")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if keyStdin {
				key, err := p.readKey(ctx)
				if err != nil {
					return err
				}
				return p.with(ctx, func(c *client.Client) error { return p.storeKey(ctx, c, key) })
			}
			return p.with(ctx, func(c *client.Client) error { return p.signIn(ctx, c, !noBrowser) })
		},
	}
	cmd.Flags().BoolVar(&keyStdin, "key-stdin", false, "read an API key from standard input and store it, without a sign-in")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "open no browser on this machine")
	return cmd
}

// maxKey is how many bytes are read for an API key or an address.
const maxKey = 64 << 10

// readKey reads an API key from standard input, from a terminal without showing it.
func (p hostedCommands) readKey(ctx context.Context) (string, error) {
	if f, ok := p.io.In.(*os.File); ok && isTerminal(f) {
		key, err := p.readHidden(ctx, f, "API key: ")
		if err != nil {
			return "", err
		}
		return keyOf(key)
	}
	raw, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.io.In, maxKey)) })
	if err != nil {
		return "", err
	}
	return keyOf(string(raw))
}

func keyOf(text string) (string, error) {
	key := strings.TrimSpace(text)
	if key == "" {
		return "", usage.Errorf("standard input has no API key")
	}
	return key, nil
}

func (p hostedCommands) storeKey(ctx context.Context, c *client.Client, key string) error {
	var stored struct {
		KeyPrefix string `json:"key_prefix"`
	}
	if err := c.Call(ctx, http.MethodPut, "/hosted/key", map[string]string{"key": key}, &stored); err != nil {
		return err
	}
	return p.print(stored, "Stored the API key %s…", stored.KeyPrefix)
}

// signIn starts a sign-in, prints its address, and waits until the browser has come back or its address is pasted.
func (p hostedCommands) signIn(ctx context.Context, c *client.Client, browser bool) error {
	before, _, err := readAccount(ctx, c)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithCancel(ctx)
	changed, ended := watch(waiting, c)
	defer func() { // before the client is closed
		cancel()
		ended()
	}()
	var started struct {
		URL       string    `json:"authorization_url"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	if err := c.Call(ctx, http.MethodPost, "/hosted/login", map[string]bool{"browser": browser}, &started); err != nil {
		return err
	}
	p.notef("To sign in, open this address in a browser before %s:\n\n%s\n\nIf the browser then ends at an address that it can't open, "+
		"paste that address here:",
		started.ExpiresAt.Local().Format("15:04:05"), started.URL)
	pasted := lines(waiting, p.io.In)
	for {
		select {
		case <-ctx.Done():
			return cancelSignIn(ctx, c)
		case line, ok := <-pasted:
			if !ok {
				pasted = nil // the end of standard input; the browser may still come back
				continue
			}
			if err := p.finishSignIn(ctx, c, line); err != nil {
				return err
			}
		case <-changed:
		}
		if ended, err := p.signedIn(ctx, c, before); ended {
			return err
		}
	}
}

// signedIn reports whether a sign-in has ended, and prints who is signed in since before. The error is why nobody is.
func (p hostedCommands) signedIn(ctx context.Context, c *client.Client, before hostedAccount) (ended bool, err error) {
	a, raw, err := readAccount(ctx, c)
	switch {
	case err != nil && ctx.Err() == nil:
		return true, err
	case err != nil: // the caller sees that ctx has ended
		return false, nil //nolint:nilerr // it is not why nobody is signed in
	case a.Login.Status == "waiting":
		return false, nil
	case a.Login.Error != nil:
		return true, backend.E(a.Login.Error.Code, a.Login.Error.Detail, a.Login.Error.Remedy)
	case a.SignedIn && (before.SignedInAt == nil || !a.SignedInAt.Equal(*before.SignedInAt)):
		return true, p.print(raw, "Signed in as %s", a.person())
	}
	return true, backend.E(backend.CodeCancelled, "The sign-in was cancelled or replaced by another one.", "Sign in again if you want.")
}

// finishSignIn completes the sign-in with a pasted address. Another address is named, and the sign-in goes on.
func (p hostedCommands) finishSignIn(ctx context.Context, c *client.Client, line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	err := c.Call(ctx, http.MethodPost, "/hosted/login/finish", map[string]string{"url": line}, nil)
	var invalid *backend.ValidationError
	if errors.As(err, &invalid) {
		p.notef("%s", printable.Sentence(invalid.Fields[0].Msg))
		return nil
	}
	return err
}

func cancelSignIn(ctx context.Context, c *client.Client) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	err := c.Call(request, http.MethodDelete, "/hosted/login", nil, nil)
	if backend.CodeOf(err) == backend.CodeNotInProgress {
		err = nil
	}
	return errors.Join(ctx.Err(), err)
}

// watchInterval is how often the state is read where no event arrives.
const watchInterval = 2 * time.Second

// watch sends when something may have changed in the program, until ctx ends; ended returns when it no longer uses the client.
func watch(ctx context.Context, c *client.Client) (changes <-chan struct{}, ended func()) {
	changed := make(chan struct{}, 1)
	announce := func() {
		select {
		case changed <- struct{}{}:
		default: // one is announced already
		}
	}
	var watchers sync.WaitGroup
	watchers.Go(func() {
		_ = backend.Contain(func() error {
			return c.Follow(ctx, "/events", func([]byte) error {
				announce()
				return nil
			})
		})
	})
	watchers.Go(func() {
		tick := time.NewTicker(watchInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				announce()
			case <-ctx.Done():
				return
			}
		}
	})
	return changed, watchers.Wait
}

// lines sends the lines of a stream until it ends. A read that blocks ends with the program.
func lines(ctx context.Context, in io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxKey)
		for scanner.Scan() {
			select {
			case out <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (p hostedCommands) hostedLogout() *cobra.Command {
	return p.command("logout", "Sign out; an API key stays", usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		resp, err := c.Do(ctx, http.MethodPost, "/hosted/logout", nil, nil)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		result := struct {
			SignedIn bool             `json:"signed_in"`
			Notice   *backend.Failure `json:"notice"`
		}{}
		if resp.StatusCode == http.StatusOK {
			if err := json.NewDecoder(resp.Body).Decode(&result); err != nil {
				return err
			}
		}
		if result.Notice != nil && !p.json {
			p.notef("%s %s", result.Notice.Detail, result.Notice.Remedy)
		}
		return p.print(result, "Signed out")
	})
}
