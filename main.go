// Voicewright is a voice studio that runs on a person's own machine.
package main

import (
	"context"
	"os"

	"github.com/voicewright/voicewright/app"
)

func main() {
	streams, end := app.Streams(os.Args[1:])
	code := app.Main(context.Background(), os.Args[1:], streams)
	end(code)
	os.Exit(code)
}
