/**
 * Bundles the program: everything that it imports, Effect included, except the drivers of databases. Only these are
 * installed with it, so that it cannot conflict with what the user has.
 */
import * as Bundle from "@mailstream/testing/Bundle"
import type { Metafile } from "esbuild"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))

/** Writes the program, `bin`, and what it imports into a directory. */
export const bundle = async (
  directory: string,
  options: Pick<Bundle.Options, "drivers" | "extension">
): Promise<Metafile> => {
  const { metafile } = await Bundle.bundle({ bin }, directory, { ...options, undici: "agent" })
  return metafile
}
