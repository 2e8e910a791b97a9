/**
 * The attachments of an email, from files. In a module of its own, because Effect calls `FileSystem` unstable.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import type { InvalidAttachment } from "../core/ApiError.ts"
import type * as SendEmail from "../core/SendEmail.ts"
import { fromStream, type Options } from "./Attachment.ts"

/**
 * An attachment of a file; its name is that of the file, unless it is given.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Emails } from "@mailstream/effect4"
 * import * as AttachmentFile from "@mailstream/effect4/AttachmentFile"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const emails = yield* Emails
 *   const invoice = yield* AttachmentFile.fromFile("invoices/2026-11.pdf")
 *   return yield* emails.send({
 *     from: "Ada <ada@example.com>",
 *     to: "grace@example.com",
 *     subject: "Your invoice",
 *     text: "See the attachment.",
 *     attachments: [invoice]
 *   })
 * })
 * ```
 */
export const fromFile = (
  path: string,
  options: Partial<Options> = {}
): Effect.Effect<SendEmail.Attachment, PlatformError | InvalidAttachment, FileSystem.FileSystem> =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) =>
      fromStream(files.stream(path), { ...options, filename: options.filename ?? path.replace(/^.*[\\/]/s, "") })
  )
