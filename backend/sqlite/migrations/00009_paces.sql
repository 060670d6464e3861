-- +goose Up
-- How much is spoken side by side follows from the machine and is not measured any more.
DROP TABLE paces;
