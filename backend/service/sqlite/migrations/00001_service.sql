-- +goose Up
-- Times are INTEGER milliseconds UTC unless a comment says otherwise; 0 is no time.

CREATE TABLE accounts (
    id           INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, as the ledger names it
    subject      TEXT UNIQUE,                       -- NULL once the account is deleted
    email        TEXT    NOT NULL DEFAULT '',
    plan         TEXT    NOT NULL CHECK (plan IN ('free', 'pro', 'max')),
    plan_expires INTEGER NOT NULL DEFAULT 0,
    plan_number  INTEGER NOT NULL DEFAULT 1,        -- of the account's plans, so that refunds find out whether theirs ended
    plan_credits INTEGER NOT NULL DEFAULT 0 CHECK (plan_credits >= 0),
    payg_credits INTEGER NOT NULL DEFAULT 0 CHECK (payg_credits >= 0),
    held_credits INTEGER NOT NULL DEFAULT 0 CHECK (held_credits >= 0),
    disabled     INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    hash         BLOB PRIMARY KEY, -- SHA-256
    id           TEXT    NOT NULL UNIQUE,
    account      INTEGER NOT NULL REFERENCES accounts (id),
    prefix       TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL DEFAULT 0,
    revoked_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX keys_account ON keys (account, revoked_at);

CREATE TABLE favourites (
    id      INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    voice   TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (account, voice)
) STRICT;

-- The calls in the sliding windows of the rate limit.
CREATE TABLE rate_calls (
    account INTEGER NOT NULL REFERENCES accounts (id),
    at      INTEGER NOT NULL, -- nanoseconds UTC
    number  INTEGER NOT NULL, -- distinguishes calls of one moment
    PRIMARY KEY (account, at, number)
) STRICT, WITHOUT ROWID;

-- The calls that moved credits. One that is charged is also the project.
CREATE TABLE calls (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    account      INTEGER NOT NULL REFERENCES accounts (id),
    instance     TEXT    NOT NULL, -- the process that serves it
    status       TEXT    NOT NULL CHECK (status IN ('held', 'charged', 'refunded')),
    kind         TEXT    NOT NULL,
    provider     TEXT    NOT NULL,
    model        TEXT    NOT NULL,
    characters   INTEGER NOT NULL,
    plan_credits INTEGER NOT NULL,
    payg_credits INTEGER NOT NULL,
    plan_number  INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    title        TEXT    NOT NULL DEFAULT '',
    voice        TEXT    NOT NULL DEFAULT '',
    seconds      REAL    NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX calls_held ON calls (account) WHERE status = 'held'; -- one synthesis at a time
CREATE INDEX calls_account ON calls (account, seq);

CREATE TABLE instances (
    id   TEXT PRIMARY KEY,
    beat INTEGER NOT NULL -- the time of its last heartbeat
) STRICT, WITHOUT ROWID;

-- One movement of credits a row. Its amounts sum to zero over the parts of the account (plan, payg, held) and of the service
-- (granted, spent, expired); an account's balance is the sum of its rows, which the trigger keeps in accounts.
CREATE TABLE ledger (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    account INTEGER NOT NULL REFERENCES accounts (id),
    call    INTEGER REFERENCES calls (seq),
    reason  TEXT    NOT NULL,
    plan    INTEGER NOT NULL,
    payg    INTEGER NOT NULL,
    held    INTEGER NOT NULL,
    granted INTEGER NOT NULL,
    spent   INTEGER NOT NULL CHECK (spent >= 0),
    expired INTEGER NOT NULL CHECK (expired >= 0),
    CHECK (plan + payg + held + granted + spent + expired = 0)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER ledger_moves AFTER INSERT ON ledger BEGIN
    UPDATE accounts
    SET plan_credits = plan_credits + NEW.plan,
        payg_credits = payg_credits + NEW.payg,
        held_credits = held_credits + NEW.held
    WHERE id = NEW.account;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ledger_is_not_edited BEFORE UPDATE ON ledger BEGIN
    SELECT raise(ABORT, 'rows of the ledger are never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ledger_is_not_cut BEFORE DELETE ON ledger BEGIN
    SELECT raise(ABORT, 'rows of the ledger are never deleted');
END;
-- +goose StatementEnd

CREATE TABLE files (
    call       INTEGER PRIMARY KEY REFERENCES calls (seq),
    name       TEXT    NOT NULL UNIQUE,
    format     TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    removed    INTEGER NOT NULL DEFAULT 0 -- the content; the entry stays
) STRICT;
CREATE INDEX files_expiring ON files (expires_at) WHERE removed = 0;
