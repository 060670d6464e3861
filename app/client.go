package app

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

// client speaks the local API for the commands: over the network to the server that holds the data directory, or in
// memory to the same handler in this process.
type client struct {
	base  string
	token string
	http  *http.Client
	close func() error
}

func newClient(base, token string, transport http.RoundTripper) *client {
	return &client{base: base, token: token, http: &http.Client{Transport: transport}, close: func() error { return nil }}
}

// do sends a request and gives the answer when it is a success, else the error that it bears.
func (c *client) do(ctx context.Context, method, path string, body any, header map[string]string) (*http.Response, error) {
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
		return nil, fmt.Errorf("make the request: %w", err)
	}
	if _, form := body.(io.Reader); reader != nil && !form {
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
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	if resp.StatusCode >= 400 {
		defer func() { _ = resp.Body.Close() }()
		return nil, problemOf(resp)
	}
	return resp, nil
}

// call sends a request and decodes the answer into out, which may be nil.
func (c *client) call(ctx context.Context, method, path string, body, out any) error {
	return c.callWith(ctx, method, path, body, out, nil)
}

func (c *client) callWith(ctx context.Context, method, path string, body, out any, header map[string]string) error {
	resp, err := c.do(ctx, method, path, body, header)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	_, err = io.Copy(io.Discard, resp.Body) // what follows the value: an answer that is left early looks broken off
	return err
}

// problemOf makes an error of an answer that bears one.
func problemOf(resp *http.Response) error {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	var problem struct {
		Detail       json.RawMessage `json:"detail"`
		Code         backend.Code    `json:"code"`
		Remedy       string          `json:"remedy"`
		Params       map[string]any  `json:"params"`
		GenerationID string          `json:"generation_id"`
	}
	var fields []backend.FieldError
	var sentence string
	switch {
	case json.Unmarshal(raw, &problem) != nil:
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
	return backend.E(backend.CodeInternal, fmt.Sprintf("The server answered %s.", resp.Status), "Look into its log.")
}

// follow reads a stream of unnamed events and hands over the data of each.
func (c *client) follow(ctx context.Context, path string, on func(data []byte) error) error {
	resp, err := c.do(ctx, http.MethodGet, path, nil, map[string]string{"Accept": "text/event-stream"})
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
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
			if err := on(data); err != nil {
				return err
			}
			data = data[:0]
		}
	}
}
