package service

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

// Config is what a Service needs. Everything but Access and Observer is required.
type Config struct {
	Store     Store
	Files     Files
	Providers map[ProviderID]Provider // one without an entry has no voices
	Encoder   Encoder
	Enhancer  Enhancer
	Prices    Prices // missing entries have the defaults of Prices
	Access    Access
	Now       func() time.Time
	NewID     func() string // UUIDs
	Random    io.Reader     // for keys and the names of files; unpredictable
	Instance  string        // of this process among those that share the store
	Log       *slog.Logger
	Observer  Observer // nil for none
}

// Observer receives what metrics count. Its methods are called by many goroutines and return at once.
type Observer interface {
	// Reserved is called when credits were reserved for a call.
	Reserved()
	// Synthesis is called at the end of each call for which credits were reserved, once for each Reserved.
	Synthesis(e SynthesisEvent)
	// Enhancement is called for each enhanced text; fallback is true where the original was returned.
	Enhancement(fallback bool)
	// Repaired is called when reservations of dead processes were refunded.
	Repaired(n int)
}

// SynthesisEvent is one finished call.
type SynthesisEvent struct {
	Provider   ProviderID
	Status     int  // of the answer; 200 when the credits were charged, else they were refunded
	Cancelled  bool // by the client, or by the end of the service
	Characters int
	Credits    int64
	Took       time.Duration
}

// noObserver is the Observer of a Config without one.
type noObserver struct{}

func (noObserver) Reserved()                {}
func (noObserver) Synthesis(SynthesisEvent) {}
func (noObserver) Enhancement(bool)         {}
func (noObserver) Repaired(int)             {}

// complete returns the configuration with its defaults, or an error that names what is missing.
func (c Config) complete() (Config, error) {
	for _, required := range []struct {
		name    string
		missing bool
	}{
		{"Store", c.Store == nil},
		{"Files", c.Files == nil},
		{"Encoder", c.Encoder == nil},
		{"Enhancer", c.Enhancer == nil},
		{"Now", c.Now == nil},
		{"NewID", c.NewID == nil},
		{"Random", c.Random == nil},
		{"Instance", c.Instance == ""},
		{"Log", c.Log == nil},
	} {
		if required.missing {
			return Config{}, errors.New("service: the configuration has no " + required.name)
		}
	}
	for id, p := range c.Providers {
		if !slices.Contains(ProviderIDs(), id) || p == nil {
			return Config{}, fmt.Errorf("service: %q is not a provider of the contract, or has no implementation", id)
		}
	}
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	var err error
	c.Prices, err = c.Prices.Complete()
	return c, err
}
