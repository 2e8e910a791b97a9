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
      .add(Group.operation("get", DomainOperations.operations.get))
      .add(Group.operationWith("create", DomainOperations.operations.create))
      .add(Group.operationWith("update", DomainOperations.operations.update))
      .add(Group.operation("remove", DomainOperations.operations.remove))
      .add(Group.operation("verify", DomainOperations.operations.verify))
  )
  .add(
    Group.list(Resource.apiKeys)
      .add(Group.operationWith("create", ApiKeyOperations.operations.create))
      .add(Group.operationWith("update", ApiKeyOperations.operations.update))
      .add(Group.operation("remove", ApiKeyOperations.operations.remove))
  )
  .add(
    Group.list(Resource.broadcasts)
      .add(Group.operation("get", BroadcastOperations.operations.get))
      .add(Group.operationWith("create", BroadcastOperations.operations.create))
      .add(Group.operationWith("update", BroadcastOperations.operations.update))
      .add(Group.operation("remove", BroadcastOperations.operations.remove))
      .add(Group.operationWith("send", BroadcastOperations.operations.send))
      .add(Group.operation("cancel", BroadcastOperations.operations.cancel))
      .add(Group.operation("duplicate", BroadcastOperations.operations.duplicate))
  )
  .add(
    Group.listAlsoWithin(Resource.segments, "listOfContact", Resource.segmentsOfContact)
      .add(Group.operation("get", SegmentOperations.operations.get))
      .add(Group.operationWith("create", SegmentOperations.operations.create))
      .add(Group.operationWith("update", SegmentOperations.operations.update))
      .add(Group.operation("remove", SegmentOperations.operations.remove))
  )
  .add(
    Group.listAlsoWithin(Resource.contacts, "listOfSegment", Resource.contactsOfSegment)
      .add(Group.operation("get", ContactOperations.operations.get))
      .add(Group.operationWith("create", ContactOperations.operations.create))
      .add(Group.operationWith("update", ContactOperations.operations.update))
      .add(Group.operation("remove", ContactOperations.operations.remove))
      .add(Group.operation("join", ContactOperations.operations.join))
      .add(Group.operation("leave", ContactOperations.operations.leave))
      .add(Group.operationWith("updateTopics", ContactOperations.operations.updateTopics))
  )
  .add(
    Group.list(Resource.receivedEmails)
      .add(Group.operation("get", ReceivedEmailOperations.operations.get))
  )
  .add(
    Group.listWithin(Resource.receivedEmailAttachments, Resource.attachmentsOfReceivedEmail)
      .add(Group.operation("get", ReceivedEmailAttachmentOperations.operations.get))
  )
  .add(
    Group.list(Resource.emails)
      .add(Group.operation("get", EmailOperations.operations.get))
      .add(Group.operationWith("reschedule", EmailOperations.operations.reschedule))
      .add(Group.operation("cancel", EmailOperations.operations.cancel))
  )
  .add(
    Group.list(Resource.templates)
      .add(Group.operation("get", TemplateOperations.operations.get))
      .add(Group.operationWith("create", TemplateOperations.operations.create))
      .add(Group.operationWith("update", TemplateOperations.operations.update))
      .add(Group.operation("remove", TemplateOperations.operations.remove))
      .add(Group.operation("publish", TemplateOperations.operations.publish))
      .add(Group.operation("duplicate", TemplateOperations.operations.duplicate))
  )
  .add(
    Group.list(Resource.topics)
      .add(Group.operation("get", TopicOperations.operations.get))
      .add(Group.operationWith("create", TopicOperations.operations.create))
      .add(Group.operationWith("update", TopicOperations.operations.update))
      .add(Group.operation("remove", TopicOperations.operations.remove))
  )
  .add(
    Group.listWithin(Resource.emailAttachments, Resource.attachmentsOfEmail)
      .add(Group.operation("get", EmailAttachmentOperations.operations.get))
  )
  .add(
    Group.listWithin(Resource.contactTopics, Resource.topicsOfContact)
  )
  .add(
    Group.list(Resource.contactProperties)
      .add(Group.operation("get", ContactPropertyOperations.operations.get))
      .add(Group.operationWith("create", ContactPropertyOperations.operations.create))
      .add(Group.operationWith("update", ContactPropertyOperations.operations.update))
      .add(Group.operation("remove", ContactPropertyOperations.operations.remove))
  )
  .add(
    Group.listWithin(Resource.broadcastRecipients, Resource.recipientsOfBroadcast)
  )
  .add(
    Group.list(Resource.suppressions)
      .add(Group.operation("get", SuppressionOperations.operations.get))
      .add(Group.operationWith("create", SuppressionOperations.operations.create))
      .add(Group.operation("remove", SuppressionOperations.operations.remove))
      .add(Group.operationWith("createMany", SuppressionOperations.operations.createMany))
      .add(Group.operationWith("removeMany", SuppressionOperations.operations.removeMany))
  )
  .add(
    Group.list(Resource.webhooks)
      .add(Group.operation("get", WebhookOperations.operations.get))
      .add(Group.operationWith("create", WebhookOperations.operations.create))
      .add(Group.operationWith("update", WebhookOperations.operations.update))
      .add(Group.operation("remove", WebhookOperations.operations.remove))
      .add(Group.operation("rotateSecret", WebhookOperations.operations.rotateSecret))
  )
