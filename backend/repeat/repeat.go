// Package repeat calls functions again and again.
package repeat

import (
	"context"
	"time"
)

// Hourly calls f now, every hour and on each change, until ctx ends.
func Hourly(ctx context.Context, changed <-chan struct{}, f func()) {
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	for {
		f()
		select {
		case <-hourly.C:
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
