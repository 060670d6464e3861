//go:build soak

package app_test

import "testing"

// TestSoakKillBook is TestKillBook with 30 moments, and prints the state before and after each of them.
func TestSoakKillBook(t *testing.T) { killBook(t, 30, 2) }
