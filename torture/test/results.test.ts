import { it } from "@effect/vitest"
import * as Results from "@mailstream/testing/Results"
import { fileURLToPath } from "node:url"
import { experiments } from "../experiments.ts"

it.effect("RESULTS.md has a place for what each experiment finds", () =>
  Results.expectPlaces(fileURLToPath(new URL("../RESULTS.md", import.meta.url)), Object.keys(experiments)))
