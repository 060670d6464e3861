package typing

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/subprocess"
)

// pasteDelay is how long a program gets to read the clipboard after the keys for pasting.
const pasteDelay = 500 * time.Millisecond

// mac pastes with Command+V. Only text of the former clipboard is restored.
type mac struct{}

func open(*slog.Logger) (desktop, error) { return mac{}, nil }

func (m mac) insert(ctx context.Context, text string) error {
	var former bytes.Buffer
	read := subprocess.Desktop(ctx, "pbpaste")
	read.Env = append(read.Env, "LC_ALL=en_US.UTF-8")
	read.Stdout = &former
	if err := read.Run(); err != nil {
		return noDesktop(err)
	}
	if err := m.copy(ctx, text); err != nil {
		return err
	}
	defer func() { _ = m.copy(context.WithoutCancel(ctx), former.String()) }()
	script := `tell application "System Events" to keystroke "v" using command down`
	if out, err := subprocess.Desktop(ctx, "osascript", "-e", script).CombinedOutput(); err != nil {
		return errUnavailable("forbidden", "macOS does not let Voicewright type.",
			"Allow Voicewright in System Settings > Privacy & Security > Accessibility.").WithCause(fmt.Errorf("%w: %s", err, out))
	}
	timer := time.NewTimer(pasteDelay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

func (mac) copy(ctx context.Context, text string) error {
	write := subprocess.Desktop(ctx, "pbcopy")
	write.Env = append(write.Env, "LC_ALL=en_US.UTF-8")
	write.Stdin = strings.NewReader(text)
	if err := write.Run(); err != nil {
		return noDesktop(err)
	}
	return nil
}

func (mac) close() {}
