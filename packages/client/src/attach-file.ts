/**
 * Attachments from files, on Node.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { AttachmentOptions } from "./Attachment.ts"
import * as Bytes from "./internal/bytes.ts"
import * as Checks from "./internal/checks.ts"
import { toError } from "./internal/errors.ts"
import type { Attachment } from "./Objects.ts"

/**
 * Makes an attachment of a file. Its name is the last part of the path, unless there is a `filename`. Rejects with a
 * `validation_error` what is too large for any email, without reading it, and with the error of the file system if the file cannot
 * be read.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 * import { attachFile } from "@mailstream/client/attach-file"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * await mailstream.emails.send({
 *   from: "Ada <ada@example.com>",
 *   to: "grace@example.com",
 *   subject: "Your invoice",
 *   text: "It is attached.",
 *   attachments: [await attachFile("invoices/2026-11.pdf", { filename: "invoice.pdf" })]
 * })
 * ```
 */
export const attachFile = async (path: string | URL, options?: AttachmentOptions): Promise<Attachment> => {
  const given = valueOf(Bytes.options(options))
  const file = valueOf(Checks.reading("path", () => pathOf(path)))
  const filename = given.filename ?? basename(file)
  const found = await stat(file)
  // Reading a pipe or a terminal might never end.
  if (!found.isFile()) return valueOf(Checks.invalid("path", mustBe))
  valueOf(Bytes.sized(found.size, filename))
  // It may be growing.
  const chunks: ReadonlyArray<Buffer> = await createReadStream(file, { end: Bytes.largest }).toArray()
  return valueOf(Bytes.attached(Buffer.concat(chunks), filename, given))
}

const mustBe = "must be the path of a file, as in attachFile(\"invoice.pdf\")"

const pathOf = (path: unknown): Checks.Checked<string> =>
  path instanceof URL && path.protocol === "file:"
    ? Either.right(fileURLToPath(path))
    : Checks.make((value): value is string => Checks.isText(value) && !value.includes("\0"), mustBe)(path, "path")

/** What was checked; throws its error. */
const valueOf = <A>(checked: Checks.Checked<A>): A => Either.getOrThrowWith(checked, toError)
