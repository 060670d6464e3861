package files

import (
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Programs that look at every new file, such as virus scanners and indexers of Windows, have it open for a moment.
const (
	retryFor   = 2 * time.Second
	firstPause = 5 * time.Millisecond
)

// patiently calls do again for a while as long as another program has the file open.
func patiently(do func() error) error {
	deadline := time.Now().Add(retryFor)
	for pause := firstPause; ; pause *= 2 {
		err := do()
		if !backend.InUse(err) || time.Now().Add(pause).After(deadline) {
			return err
		}
		<-time.After(pause)
	}
}
