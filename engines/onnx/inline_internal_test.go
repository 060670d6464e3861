package onnx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInlineOf keeps weights in graphs in long paths of Windows only.
func TestInlineOf(t *testing.T) {
	long := `C:\` + strings.Repeat(`folder\`, 50)
	require.EqualValues(t, inline, inlineOf("windows", `C:\models`))
	require.EqualValues(t, inline, inlineOf("linux", long))
	require.Greater(t, inlineOf("windows", long), int64(1)<<40)
}
