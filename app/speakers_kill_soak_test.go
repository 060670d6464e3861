//go:build soak && whisper

package app_test

import "testing"

// TestSoakKillSpeakers is TestKillSpeakers with 20 moments, and prints each of them.
func TestSoakKillSpeakers(t *testing.T) { killSearches(t, 20, 2) }
