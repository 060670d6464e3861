package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestHistoryShowsWordsWithoutHeadingMarks(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := historyCommands{&program{io: Stdio{Out: &out}}}
	rows := []historyRow{{Text: "# One\n\nThe lamp is on."}, {Text: "Number #2 of a list of texts that goes on for longer than the column is"}}
	require.NoError(t, p.printHistory(backend.List[historyRow]{Items: rows}))
	require.Contains(t, out.String(), " One The lamp is on. ")
	require.Contains(t, out.String(), " Number #2 of a list of texts that goes on for l…")
}
