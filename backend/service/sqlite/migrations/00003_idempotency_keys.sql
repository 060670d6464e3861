-- +goose Up
-- The Idempotency-Keys of calls that run or were charged. Neither the key nor the text of the call can be read from them.
CREATE TABLE idempotency_keys (
    account      INTEGER NOT NULL REFERENCES accounts (id),
    hash         BLOB    NOT NULL,                               -- SHA-256 of the key
    request      BLOB    NOT NULL,                               -- HMAC-SHA-256 of what was asked for, with the key
    call         INTEGER NOT NULL UNIQUE REFERENCES calls (seq),
    credits_left INTEGER NOT NULL DEFAULT 0,                     -- as the answer says
    answered_at  INTEGER NOT NULL DEFAULT 0,                     -- 0 while the call runs
    PRIMARY KEY (account, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_answered ON idempotency_keys (answered_at) WHERE answered_at > 0;
