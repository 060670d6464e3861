package secrets

import (
	"testing"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	keyring.MockInit() // no test uses the keychain of the person who runs it
	goleak.VerifyTestMain(m)
}
