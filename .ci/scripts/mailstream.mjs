/**
 * `npm start` and `npm run mailstream`: the program, from its sources. It runs in this process, so that signals, exit
 * codes, the terminal and standard output are its own.
 */
import { pathToFileURL } from "node:url"
import { bundled } from "./bundled.mjs"
import { install } from "./install.mjs"

await install(".", "program")

const program = await bundled()

await import(program === undefined ? "../../packages/cli/src/bin.ts" : pathToFileURL(program).href)
