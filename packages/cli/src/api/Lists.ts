/**
 * The table of the lists: each is written down once, and has all commands.
 *
 * @since 0.1.0
 */
import { Resource } from "@mailstream/core"
import * as Streams from "@mailstream/stream/Lists"
import type * as Array from "effect/Array"
import * as Source from "./AnyList.ts"

/**
 * @since 0.1.0
 * @category lists
 */
export const all: Array.NonEmptyReadonlyArray<Source.Source> = [
  Source.make(Resource.domains, Streams.domains),
  Source.make(Resource.apiKeys, Streams.apiKeys),
  Source.make(Resource.broadcasts, Streams.broadcasts),
  Source.make(Resource.segments, Streams.segments),
  Source.make(Resource.contacts, Streams.contacts),
  Source.make(Resource.receivedEmails, Streams.receivedEmails),
  Source.make(Resource.receivedEmailAttachments, Streams.receivedEmailAttachments),
  Source.make(Resource.emails, Streams.emails),
  Source.make(Resource.templates, Streams.templates),
  Source.make(Resource.topics, Streams.topics)
]
