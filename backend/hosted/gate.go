package hosted

import "context"

// gate is a mutex for work that may take long, such as a request or a keychain: waiting for it ends with a context.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

// lock waits for the gate. Error: that of ctx, and then the gate is not held.
func (g gate) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) unlock() { <-g }
