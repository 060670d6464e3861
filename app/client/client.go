// Package client calls the local API for the commands and the window.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Client calls the local API: over loopback to a running server, or in memory to a handler in this process.
type Client struct {
	base     string
	token    string
	http     *http.Client
	close    func() error
	inMemory bool
}

// InProcess reports whether the backend is in this process and ends with it.
func (c *Client) InProcess() bool { return c.inMemory }

func newClient(base, token string, transport http.RoundTripper) *Client {
	return &Client{base: base, token: token, http: &http.Client{Transport: transport}, close: func() error { return nil }}
}

// InMemory returns a client of a handler in this process. Close calls closeHandler and waits for running requests.
func InMemory(handler http.Handler, closeHandler func() error) *Client {
	transport := &memoryTransport{handler: handler}
	c := newClient(memoryURL, "", transport)
	c.inMemory = true
	c.close = func() error {
		err := closeHandler()
		transport.wait()
		return err
	}
	return c
}

// Close ends the client and, when it is in memory, the handler behind it.
func (c *Client) Close() error { return c.close() }

// Do makes a request. The caller closes the body of the response. A response of status 400 or more is returned as its error.
func (c *Client) Do(ctx context.Context, method, path string, body any, header map[string]string) (*http.Response, error) {
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case io.Reader:
		reader = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, fmt.Errorf("encode the request: %w", err)
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return nil, fmt.Errorf("prepare the request: %w", err)
	}
	if _, raw := body.(io.Reader); reader != nil && !raw {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("call the server: %w", err)
	}
	if resp.StatusCode >= 400 {
		defer func() { _ = resp.Body.Close() }()
		return nil, responseError(resp)
	}
	return resp, nil
}

// Call makes a request and decodes the JSON response into out, which may be nil. A body that is an io.Reader is sent as it is,
// another one as JSON.
func (c *Client) Call(ctx context.Context, method, path string, body, out any) error {
	return c.CallWith(ctx, method, path, body, out, nil)
}

// CallWith is Call with request headers.
func (c *Client) CallWith(ctx context.Context, method, path string, body, out any, header map[string]string) error {
	resp, err := c.Do(ctx, method, path, body, header)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	_, err = io.Copy(io.Discard, resp.Body) // a response that is not read to its end looks aborted to the server
	return err
}

// responseError returns the error in a response: a *backend.ValidationError or a *backend.Error.
func responseError(resp *http.Response) error {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	var problem struct {
		Detail       json.RawMessage `json:"detail"`
		Code         backend.Code    `json:"code"`
		Remedy       string          `json:"remedy"`
		Params       map[string]any  `json:"params"`
		GenerationID string          `json:"generation_id"`
		Error        string          `json:"error"` // of the hosted service, as the forwarder passes it on
	}
	var fields []backend.FieldError
	var sentence string
	switch {
	case json.Unmarshal(raw, &problem) != nil:
	case problem.Error != "" && problem.Detail == nil:
		return hostedError(string(problem.Code), resp.StatusCode)
	case json.Unmarshal(problem.Detail, &fields) == nil:
		return &backend.ValidationError{Fields: fields}
	case json.Unmarshal(problem.Detail, &sentence) == nil:
		e := backend.E(problem.Code, sentence, problem.Remedy)
		e.Params = problem.Params
		if problem.GenerationID != "" {
			e = e.With("generation_id", problem.GenerationID)
		}
		return e
	}
	return backend.E(backend.CodeInternal, fmt.Sprintf("The server returned %s.", resp.Status),
		"Check its log.").With("status", resp.StatusCode)
}

// hostedError returns an error that the forwarder passed on from the hosted service. Its sentence is not shown.
func hostedError(code string, status int) error {
	switch status {
	case http.StatusUnauthorized:
		return backend.E(backend.CodeHostedNotSignedIn, "The hosted service does not accept your sign-in or API key.",
			"Sign in with `voicewright hosted login`.")
	case http.StatusNotFound:
		return backend.E(backend.CodeNotFound, "The hosted service does not have this.", "Check the name or ID.").With("status", status)
	default:
		e := backend.E(backend.HostedCode(code, status), fmt.Sprintf("The hosted service refused the request (%d).", status),
			"Check your plan and credits with `voicewright hosted status`, or try again later.")
		return e.With("status", status)
	}
}

// Follow reads a stream of unnamed server-sent events and calls f with the data of each. It returns nil at the end of the
// stream.
func (c *Client) Follow(ctx context.Context, path string, f func(data []byte) error) error {
	return c.FollowFrom(ctx, path, func() error { return nil }, f)
}

// FollowFrom is Follow that calls begin once the stream is open, so that no event of what begin starts is missed.
func (c *Client) FollowFrom(ctx context.Context, path string, begin func() error, f func(data []byte) error) error {
	resp, err := c.Do(ctx, http.MethodGet, path, nil, map[string]string{"Accept": "text/event-stream"})
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if err := begin(); err != nil {
		return err
	}
	r := bufio.NewReader(resp.Body)
	var data []byte
	for {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the events: %w", err)
		}
		line = strings.TrimRight(line, "\r\n")
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(value, " ")...)
			continue
		}
		if line == "" && len(data) > 0 {
			if err := f(data); err != nil {
				return err
			}
			data = data[:0]
		}
	}
}
