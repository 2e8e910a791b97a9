/** The lists of the contract. Generated from the table of lists by `npm run generate`. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as Resource from "@mailstream/core/Resource"
import * as Group from "./group.ts"

export const Lists = HttpApi.make("lists")
  .add(Group.list(Resource.domains))
  .add(Group.list(Resource.apiKeys))
  .add(Group.list(Resource.broadcasts))
  .add(Group.list(Resource.segments))
  .add(Group.listAlsoWithin(Resource.contacts, "listOfSegment", Resource.contactsOfSegment))
  .add(Group.list(Resource.receivedEmails))
  .add(Group.listWithin(Resource.receivedEmailAttachments, Resource.attachmentsOfEmail))
  .add(Group.list(Resource.emails))
  .add(Group.list(Resource.templates))
