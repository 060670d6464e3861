// Empties dist before a build, and keeps the committed placeholder that go:embed needs.
import { readdirSync, rmSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
for (const name of readdirSync(dist)) {
	if (name !== "placeholder.txt") rmSync(new URL(name, dist), { recursive: true });
}
