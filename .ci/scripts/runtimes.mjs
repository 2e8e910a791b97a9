/**
 * `npm run runtimes` builds the packages, installs them and every runtime, runs one program on all of them, and prints
 * what worked; `npm run runtimes -- bun deno` does so for some. Everything is installed below the user's cache, and used
 * again by the next run.
 */
import "./build.mjs"

await import("../../runtimes/main.ts")
