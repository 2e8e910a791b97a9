/** The lists of the contract, and the operations. Generated from the table of lists by `npm run generate`. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as ApiKeyOperations from "@mailstream/core/ApiKeyOperations"
import * as BroadcastOperations from "@mailstream/core/BroadcastOperations"
import * as ContactOperations from "@mailstream/core/ContactOperations"
import * as ContactPropertyOperations from "@mailstream/core/ContactPropertyOperations"
import * as DomainOperations from "@mailstream/core/DomainOperations"
import * as EmailAttachmentOperations from "@mailstream/core/EmailAttachmentOperations"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import * as ReceivedEmailAttachmentOperations from "@mailstream/core/ReceivedEmailAttachmentOperations"
import * as ReceivedEmailOperations from "@mailstream/core/ReceivedEmailOperations"
import * as Resource from "@mailstream/core/Resource"
import * as SegmentOperations from "@mailstream/core/SegmentOperations"
import * as SuppressionOperations from "@mailstream/core/SuppressionOperations"
import * as TemplateOperations from "@mailstream/core/TemplateOperations"
import * as TopicOperations from "@mailstream/core/TopicOperations"
import * as WebhookOperations from "@mailstream/core/WebhookOperations"
import * as Group from "./group.ts"

export const Lists = HttpApi.make("lists")
  .add(
    Group.list(Resource.domains)
      .add(Group.operation("get", DomainOperations.operations.get, "domain_id"))
      .add(Group.creation("create", DomainOperations.operations.create))
      .add(Group.operationWith("update", DomainOperations.operations.update, "domain_id"))
      .add(Group.operation("remove", DomainOperations.operations.remove, "domain_id"))
      .add(Group.operation("verify", DomainOperations.operations.verify, "domain_id"))
  )
  .add(
    Group.list(Resource.apiKeys)
      .add(Group.creation("create", ApiKeyOperations.operations.create))
      .add(Group.operationWith("update", ApiKeyOperations.operations.update, "api_key_id"))
      .add(Group.operation("remove", ApiKeyOperations.operations.remove, "api_key_id"))
  )
  .add(
    Group.list(Resource.broadcasts)
      .add(Group.operation("get", BroadcastOperations.operations.get, "broadcast_id"))
      .add(Group.creation("create", BroadcastOperations.operations.create))
      .add(Group.operationWith("update", BroadcastOperations.operations.update, "broadcast_id"))
      .add(Group.operation("remove", BroadcastOperations.operations.remove, "broadcast_id"))
      .add(Group.operationWith("send", BroadcastOperations.operations.send, "broadcast_id"))
      .add(Group.operation("cancel", BroadcastOperations.operations.cancel, "broadcast_id"))
      .add(Group.operation("duplicate", BroadcastOperations.operations.duplicate, "broadcast_id"))
  )
  .add(
    Group.listAlsoWithin(Resource.segments, "listOfContact", Resource.segmentsOfContact)
      .add(Group.operation("get", SegmentOperations.operations.get, "segment_id"))
      .add(Group.creation("create", SegmentOperations.operations.create))
      .add(Group.operationWith("update", SegmentOperations.operations.update, "segment_id"))
      .add(Group.operation("remove", SegmentOperations.operations.remove, "segment_id"))
  )
  .add(
    Group.listAlsoWithin(Resource.contacts, "listOfSegment", Resource.contactsOfSegment)
      .add(Group.operation("get", ContactOperations.operations.get, "contact"))
      .add(Group.creation("create", ContactOperations.operations.create))
      .add(Group.operationWith("update", ContactOperations.operations.update, "contact"))
      .add(Group.operation("remove", ContactOperations.operations.remove, "contact"))
      .add(Group.operation("join", ContactOperations.operations.join, "contact", "segment_id"))
      .add(Group.operation("leave", ContactOperations.operations.leave, "contact", "segment_id"))
      .add(Group.operationWith("updateTopics", ContactOperations.operations.updateTopics, "contact_id"))
  )
  .add(
    Group.list(Resource.receivedEmails)
      .add(Group.operation("get", ReceivedEmailOperations.operations.get, "email_id"))
  )
  .add(
    Group.listWithin(Resource.receivedEmailAttachments, Resource.attachmentsOfReceivedEmail)
      .add(Group.operation("get", ReceivedEmailAttachmentOperations.operations.get, "email_id", "attachment_id"))
  )
  .add(
    Group.list(Resource.emails)
      .add(Group.creation("send", EmailOperations.operations.send))
      .add(Group.creation("sendBatch", EmailOperations.operations.sendBatch))
      .add(Group.operation("get", EmailOperations.operations.get, "email_id"))
      .add(Group.operationWith("reschedule", EmailOperations.operations.reschedule, "email_id"))
      .add(Group.operation("cancel", EmailOperations.operations.cancel, "email_id"))
  )
  .add(
    Group.list(Resource.templates)
      .add(Group.operation("get", TemplateOperations.operations.get, "template"))
      .add(Group.creation("create", TemplateOperations.operations.create))
      .add(Group.operationWith("update", TemplateOperations.operations.update, "template"))
      .add(Group.operation("remove", TemplateOperations.operations.remove, "template"))
      .add(Group.operation("publish", TemplateOperations.operations.publish, "template"))
      .add(Group.operation("duplicate", TemplateOperations.operations.duplicate, "template"))
  )
  .add(
    Group.list(Resource.topics)
      .add(Group.operation("get", TopicOperations.operations.get, "topic_id"))
      .add(Group.creation("create", TopicOperations.operations.create))
      .add(Group.operationWith("update", TopicOperations.operations.update, "topic_id"))
      .add(Group.operation("remove", TopicOperations.operations.remove, "topic_id"))
  )
  .add(
    Group.listWithin(Resource.emailAttachments, Resource.attachmentsOfEmail)
      .add(Group.operation("get", EmailAttachmentOperations.operations.get, "email_id", "attachment_id"))
  )
  .add(
    Group.listWithin(Resource.contactTopics, Resource.topicsOfContact)
  )
  .add(
    Group.list(Resource.contactProperties)
      .add(Group.operation("get", ContactPropertyOperations.operations.get, "contact_property_id"))
      .add(Group.creation("create", ContactPropertyOperations.operations.create))
      .add(Group.operationWith("update", ContactPropertyOperations.operations.update, "contact_property_id"))
      .add(Group.operation("remove", ContactPropertyOperations.operations.remove, "contact_property_id"))
  )
  .add(
    Group.listWithin(Resource.broadcastRecipients, Resource.recipientsOfBroadcast)
  )
  .add(
    Group.list(Resource.suppressions)
      .add(Group.operation("get", SuppressionOperations.operations.get, "suppression"))
      .add(Group.creation("create", SuppressionOperations.operations.create))
      .add(Group.operation("remove", SuppressionOperations.operations.remove, "suppression"))
      .add(Group.creation("createMany", SuppressionOperations.operations.createMany))
      .add(Group.creation("removeMany", SuppressionOperations.operations.removeMany))
  )
  .add(
    Group.list(Resource.webhooks)
      .add(Group.operation("get", WebhookOperations.operations.get, "webhook_id"))
      .add(Group.creation("create", WebhookOperations.operations.create))
      .add(Group.operationWith("update", WebhookOperations.operations.update, "webhook_id"))
      .add(Group.operation("remove", WebhookOperations.operations.remove, "webhook_id"))
      .add(Group.operation("rotateSecret", WebhookOperations.operations.rotateSecret, "webhook_id"))
  )
