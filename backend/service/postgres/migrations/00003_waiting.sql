-- +goose Up
-- The callers of all processes that wait for a provider, and those whose turn it is. A process says which are its own each time, so that
-- rows may be lost with the server: they are not logged.
CREATE UNLOGGED TABLE waiting (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider TEXT COLLATE "C" NOT NULL,
    instance TEXT COLLATE "C" NOT NULL REFERENCES instances (id) ON DELETE CASCADE,
    number   BIGINT  NOT NULL, -- of the process
    priority BOOLEAN NOT NULL,
    at       BIGINT  NOT NULL, -- the time of arrival, microseconds UTC
    turn     BOOLEAN NOT NULL,
    UNIQUE (instance, provider, number)
);
