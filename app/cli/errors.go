package cli

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/printable"
)

// printError prints an error as one sentence and its remedy, and returns the exit code. On a terminal they are one line, as they may
// hold the name of a file.
func (p *program) printError(ctx context.Context, err error) int {
	sentence, remedy, code := describeError(ctx, err)
	text := strings.TrimSpace(sentence + " " + remedy)
	if isTerminal(p.io.Err) {
		text = visibleCell(text)
	}
	p.notef("%s", text)
	return code
}

func describeError(ctx context.Context, err error) (sentence, remedy string, code int) {
	var use usage.Error
	var invalid *backend.ValidationError
	var known *backend.Error
	var network *net.OpError
	var needed usage.NeededError
	var misuse usage.MisuseError
	var stopped interface {
		error
		Remedy() string // how to go on
	}
	switch {
	case ctx.Err() != nil && errors.As(err, &stopped):
		return printable.Sentence(stopped.Error()), stopped.Remedy(), exit.Interrupted
	case ctx.Err() != nil:
		return "Stopped.", "", exit.Interrupted
	case errors.As(err, &needed):
		sentence, remedy, _ = describeError(ctx, needed.Unwrap())
		return sentence, remedy, exit.Needed
	case errors.As(err, &misuse):
		sentence, remedy, _ = describeError(ctx, misuse.Unwrap())
		return sentence, remedy, exit.Usage
	case errors.As(err, &use):
		if use.Command != "" {
			return use.Error() + ".", "See --help.", exit.Usage
		}
		return printable.Sentence(use.Message), "See --help.", exit.Usage
	case errors.As(err, &invalid) && len(invalid.Fields) > 0:
		f := invalid.Fields[0]
		if text, ok := folderErrors[f.Type]; ok {
			return text.title, text.remedy, exit.Usage
		}
		return printable.Sentence(f.Loc[len(f.Loc)-1] + ": " + strings.TrimPrefix(f.Msg, "Value error, ")), "", exit.Usage
	case errors.As(err, &known):
		return known.Detail, known.Remedy, exit.CodeOf(known.Code)
	case errors.As(err, &network):
		return "The server is not responding.", "Restart it with voicewright serve.", exit.Failed
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "unknown flag"):
		return printable.Sentence(err.Error()), "See --help.", exit.Usage
	default:
		return printable.Sentence(err.Error()), "", exit.Failed
	}
}
