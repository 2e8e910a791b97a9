/**
 * What can be done with one attachment of a received email.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Operation from "./Operation.ts"
import { ReceivedEmailId } from "./ReceivedEmail.ts"
import { ReceivedEmailAttachment, ReceivedEmailAttachmentId } from "./ReceivedEmailAttachment.ts"

/**
 * The operations on an attachment of a received email.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves an attachment of a received email: where it can be downloaded.",
    method: "GET",
    path: "/emails/receiving/:email_id/attachments/:attachment_id",
    params: [Operation.param("email_id", ReceivedEmailId), Operation.param("attachment_id", ReceivedEmailAttachmentId)],
    success: ReceivedEmailAttachment,
    repetition: "read"
  })
}
