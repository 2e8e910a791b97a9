/**
 * What can be done with one attachment of a sent email.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import { EmailId } from "./Email.ts"
import { EmailAttachment, EmailAttachmentId } from "./EmailAttachment.ts"
import * as Operation from "./Operation.ts"

/**
 * The operations on an attachment of a sent email.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves an attachment of a sent email: where it can be downloaded.",
    method: "GET",
    path: "/emails/:email_id/attachments/:attachment_id",
    params: [Operation.param("email_id", EmailId), Operation.param("attachment_id", EmailAttachmentId)],
    success: EmailAttachment,
    repetition: "read"
  })
}
