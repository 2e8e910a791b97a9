/** The lives of all objects, as the `resend` SDK tells them. */
import { assert } from "@effect/vitest"
import { Server, type Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Clock, Effect, Layer, Redacted } from "effect"
import { type PaginationOptions, Resend } from "resend"
import { checked } from "./promises.ts"

/** Where the types of the SDK say something else than the service, or less. */
const exceptions: ReadonlyArray<RegExp> = [
  // A topic without a description has null.
  /^topics\.(get|list) data(\.data\[\])?\.description: null /,
  // A received email may have no subject.
  /^emails\.receiving\.(get|list) data(\.data\[\])?\.subject: null /,
  // `message_id` is not in all emails.
  /^emails\.(get|list) data(\.data\[\])?\.message_id: undefined /,
  // An attachment may have no name, and one that is not inline has no `content_id`.
  /^emails\.(receiving\.)?attachments\.(get|list) data(\.data\[\])?\.(filename|content_id): null /,
  // What is loaded from elsewhere has no size here, and its link does not expire.
  /^emails\.attachments\.(get|list) data(\.data\[\])?\.(size|expires_at): null /,
  // The service calls it that while it waits for its time.
  /^broadcasts\.(get|list) data(\.data\[\])?\.status: "(scheduled|canceled)" /,
  // The older name of `segment_id`.
  /^contacts\.segments\.remove data\.audienceId: undefined /
]

/**
 * Tells a story to a server on a store, and checks that everything that the SDK returns is what its types promise. Returns
 * the methods that have succeeded.
 */
export const tell = (story: (stage: Stage) => Promise<void>, store: Layer.Layer<Store>) =>
  Effect.gen(function*() {
    const { apiKey, baseUrl } = yield* Server.TestServer
    const clients: Array<ReturnType<typeof checked>> = []
    const as = (key: string) => {
      const client = checked(new Resend(key, { baseUrl }))
      clients.push(client)
      return client.resend
    }
    const later = new Date((yield* Clock.currentTimeMillis) + 3_600_000)
    yield* Effect.promise(() => story({ resend: as(Redacted.value(apiKey)), as, later }))
    const broken = new Set(clients.flatMap(({ broken }) => broken.map(({ method, problem }) => `${method} ${problem}`)))
    // As text, which is printed completely.
    assert.strictEqual([...broken].filter((one) => !exceptions.some((known) => known.test(one))).join("\n"), "")
    return clients.flatMap(({ succeeded }) => [...succeeded])
  }).pipe(Effect.provide(Server.layerTest({ store: Layer.orDie(Layer.provideMerge(samples, store)) })))

const samples = SampleData.layer({ receivedEmails: 30, emails: 45 })

/** What the SDK returns, without a failure. */
const ok = async <Data>(
  result: PromiseLike<{ readonly data: Data | null; readonly error: unknown }>
): Promise<Data> => {
  const { data, error } = await result
  assert(data !== null && error === null, JSON.stringify(error))
  return data
}

interface Listed {
  readonly data: { readonly has_more: boolean; readonly data: ReadonlyArray<{ readonly id: string }> } | null
  readonly error: { readonly name: string; readonly statusCode: number | null; readonly message: string } | null
}

/** The failure that the SDK returns, as in `404 not_found`. */
const failure = async (
  result: PromiseLike<Pick<Listed, "error">>
): Promise<string> => {
  const { error } = await result
  assert(error !== null)
  assert.match(error.message, /\S/)
  return `${error.statusCode} ${error.name}`
}

const nobody = "00000000-0000-0000-0000-000000000000"

/** What a story needs. */
export interface Stage {
  readonly resend: Resend
  /** The SDK with another key. */
  readonly as: (key: string) => Resend
  /** In an hour. */
  readonly later: Date
}

/** Each begins with a store that has sample emails, and nothing else. */
export const stories: { readonly [objects: string]: (stage: Stage) => Promise<void> } = {
  "domains": async ({ resend }) => {
    const { id, records, ...created } = await ok(
      resend.domains.create({ name: "example.com", region: "eu-west-1", openTracking: true })
    )
    assert.include(created, { name: "example.com", region: "eu-west-1", status: "not_started", open_tracking: true })
    assert.isNotEmpty(records)
    assert.deepInclude(await ok(resend.domains.get(id)), { id, ...created })
    assert.deepStrictEqual((await ok(resend.domains.list())).data.map(({ id }) => id), [id])

    assert.deepStrictEqual(
      await ok(resend.domains.update({ id, openTracking: false, clickTracking: true, tls: "enforced" })),
      { object: "domain", id }
    )
    assert.include(await ok(resend.domains.get(id)), { open_tracking: false, click_tracking: true })
    await ok(resend.domains.update({ id, capabilities: { receiving: "enabled" } }))
    assert.deepStrictEqual((await ok(resend.domains.get(id))).capabilities, {
      sending: "enabled",
      receiving: "enabled"
    })

    assert.deepStrictEqual(await ok(resend.domains.verify(id)), { object: "domain", id })
    assert.strictEqual((await ok(resend.domains.get(id))).status, "pending")
    const verified = await ok(resend.domains.get(id))
    assert.strictEqual(verified.status, "verified")
    assert.deepStrictEqual([...new Set(verified.records.map(({ status }) => status))], ["verified"])

    assert.deepStrictEqual(await ok(resend.domains.remove(id)), { object: "domain", id, deleted: true })
    assert.strictEqual(await failure(resend.domains.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.domains.update({ id, tls: "enforced" })), "404 not_found")
    assert.strictEqual(await failure(resend.domains.verify(id)), "404 not_found")
    assert.strictEqual(await failure(resend.domains.remove(id)), "404 not_found")
    assert.deepStrictEqual((await ok(resend.domains.list())).data, [])
    assert.strictEqual(await failure(resend.domains.create({} as never)), "422 missing_required_field")
  },

  "API keys": async ({ as, resend }) => {
    const all = await ok(resend.apiKeys.create({ name: "CI" }))
    const sending = await ok(resend.apiKeys.create({ name: "", permission: "sending_access" }))
    assert.notStrictEqual(all.token, sending.token)

    const other = as(all.token)
    assert.includeMembers((await ok(other.apiKeys.list())).data.map(({ id }) => id), [all.id, sending.id])
    assert.strictEqual(await failure(as(sending.token).contacts.list()), "401 restricted_api_key")
    assert.strictEqual(await failure(as(sending.token).segments.create({ name: "Beta" })), "401 restricted_api_key")

    assert.deepStrictEqual(await ok(resend.apiKeys.update(all.id, { name: "Deploy" })), {
      object: "api_key",
      id: all.id
    })
    const renamed = (await ok(resend.apiKeys.list())).data.find(({ id }) => id === all.id)
    assert.strictEqual(renamed?.name, "Deploy")
    assert.isNotNull(renamed?.last_used_at)

    assert.deepStrictEqual(await ok(resend.apiKeys.remove(all.id)), { object: "api_key", id: all.id, deleted: true })
    assert.strictEqual(await failure(other.contacts.list()), "403 invalid_api_key")
    assert.strictEqual(await failure(resend.apiKeys.remove(all.id)), "404 not_found")
    assert.strictEqual(await failure(resend.apiKeys.update(nobody, { name: "x" })), "404 not_found")
  },

  "templates": async ({ resend }) => {
    const { id } = await ok(resend.templates.create({
      name: "Welcome",
      alias: "welcome",
      subject: "Hello",
      html: "<p>Hello {{{NAME}}}</p>",
      replyTo: "ada@example.com",
      variables: [{ key: "NAME", type: "string", fallbackValue: "you" }, { key: "COUNT", type: "number" }]
    }))
    const draft = await ok(resend.templates.get(id))
    assert.deepInclude(draft, {
      id,
      name: "Welcome",
      alias: "welcome",
      subject: "Hello",
      html: "<p>Hello {{{NAME}}}</p>",
      text: null,
      status: "draft",
      published_at: null,
      reply_to: ["ada@example.com"]
    })
    assert.deepStrictEqual(draft.variables?.map(({ fallback_value, key }) => [key, fallback_value]), [
      ["NAME", "you"],
      ["COUNT", null]
    ])
    assert.deepStrictEqual(await ok(resend.templates.get("welcome")), draft)

    assert.deepStrictEqual(await ok(resend.templates.publish("welcome")), { object: "template", id })
    const published = await ok(resend.templates.get(id))
    assert.include(published, { status: "published", has_unpublished_versions: false })
    assert.isNotNull(published.published_at)

    assert.deepStrictEqual(await ok(resend.templates.update("welcome", { subject: "Hi", text: "Hi" })), {
      object: "template",
      id
    })
    const edited = await ok(resend.templates.get(id))
    assert.include(edited, { status: "published", has_unpublished_versions: true, subject: "Hi", text: "Hi" })
    assert.strictEqual(edited.published_at, published.published_at)
    await ok(resend.templates.publish(id))
    assert.include(await ok(resend.templates.get(id)), { has_unpublished_versions: false })

    const copy = await ok(resend.templates.duplicate("welcome"))
    assert.notStrictEqual(copy.id, id)
    assert.include(await ok(resend.templates.get(copy.id)), { status: "draft", alias: null, subject: "Hi" })
    const chained = await ok(resend.templates.create({ name: "Bye", html: "<p>Bye</p>" }).publish())
    assert.strictEqual((await ok(resend.templates.get(chained.id))).status, "published")
    assert.deepStrictEqual((await ok(resend.templates.list())).data.map(({ id }) => id), [chained.id, copy.id, id])

    assert.deepStrictEqual(await ok(resend.templates.remove("welcome")), { object: "template", id, deleted: true })
    assert.strictEqual(await failure(resend.templates.get("welcome")), "404 not_found")
    assert.strictEqual(await failure(resend.templates.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.templates.publish(id)), "404 not_found")
    assert.strictEqual(await failure(resend.templates.duplicate(nobody)), "404 not_found")
    assert.strictEqual(await failure(resend.templates.remove(id)), "404 not_found")
  },

  "contacts": async ({ resend }) => {
    const email = "ada+news@example.com"
    const segment = await ok(resend.segments.create({ name: "Beta" }))
    const topic = await ok(resend.topics.create({ name: "News", defaultSubscription: "opt_out" }))
    await ok(resend.contactProperties.create({ key: "company", type: "string" }))
    await ok(resend.contactProperties.create({ key: "seats", type: "number" }))
    const { id } = await ok(resend.contacts.create({
      email,
      firstName: "Ada",
      properties: { company: "Analytical Engines", seats: 3 },
      segments: [{ id: segment.id }],
      topics: [{ id: topic.id, subscription: "opt_in" }]
    }))
    assert.strictEqual((await ok(resend.contacts.create({ email, firstName: "Other" }))).id, id)

    const ada = await ok(resend.contacts.get(id))
    assert.deepInclude(ada, {
      object: "contact",
      id,
      email,
      first_name: "Ada",
      last_name: null,
      unsubscribed: false,
      properties: { company: { type: "string", value: "Analytical Engines" }, seats: { type: "number", value: 3 } }
    })
    assert.deepStrictEqual(await ok(resend.contacts.get({ email })), ada)
    assert.deepStrictEqual((await ok(resend.contacts.list())).data.map(({ id }) => id), [id])
    assert.deepStrictEqual((await ok(resend.contacts.list({ segmentId: segment.id }))).data.map(({ id }) => id), [id])

    await ok(resend.contacts.update({ id, lastName: "Lovelace", properties: { company: null, seats: 4 } }))
    await ok(resend.contacts.update({ email, firstName: null, unsubscribed: true }))
    assert.deepInclude(await ok(resend.contacts.get(id)), {
      first_name: null,
      last_name: "Lovelace",
      unsubscribed: true,
      properties: { seats: { type: "number", value: 4 } }
    })

    const subscriptions = async (by: { readonly id: string } | { readonly email: string }) =>
      (await ok(resend.contacts.topics.list(by))).data.map(({ id, subscription }) => [id, subscription])
    assert.deepStrictEqual(await subscriptions({ id }), [[topic.id, "opt_in"]])
    await ok(resend.contacts.topics.update({ email, topics: [{ id: topic.id, subscription: "opt_out" }] }))
    assert.deepStrictEqual(await subscriptions({ email }), [[topic.id, "opt_out"]])
    await ok(resend.contacts.topics.update({ id, topics: [{ id: topic.id, subscription: "opt_in" }] }))
    assert.deepStrictEqual(await subscriptions({ id }), [[topic.id, "opt_in"]])

    const segmentsOf = async (by: { readonly contactId: string } | { readonly email: string }) =>
      (await ok(resend.contacts.segments.list(by))).data.map(({ name }) => name)
    assert.deepStrictEqual(await segmentsOf({ contactId: id }), ["Beta"])
    await ok(resend.contacts.segments.remove({ email, segmentId: segment.id }))
    assert.deepStrictEqual(await segmentsOf({ email }), [])
    assert.deepStrictEqual((await ok(resend.contacts.list({ segmentId: segment.id }))).data, [])
    await ok(resend.contacts.segments.add({ contactId: id, segmentId: segment.id }))
    await ok(resend.contacts.segments.add({ email, segmentId: segment.id }))
    assert.deepStrictEqual(await segmentsOf({ email }), ["Beta"])

    assert.deepStrictEqual(await ok(resend.contacts.remove({ email })), {
      object: "contact",
      contact: id,
      deleted: true
    })
    assert.deepStrictEqual((await ok(resend.contacts.list({ segmentId: segment.id }))).data, [])
    assert.strictEqual(await failure(resend.contacts.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.contacts.get({ email })), "404 not_found")
    assert.strictEqual(await failure(resend.contacts.update({ id, unsubscribed: true })), "404 not_found")
    assert.strictEqual(
      await failure(resend.contacts.segments.add({ contactId: id, segmentId: segment.id })),
      "404 not_found"
    )
    // The service says so of contacts that never were.
    assert.deepInclude(await ok(resend.contacts.remove(nobody)), { contact: nobody, deleted: true })
    assert.strictEqual(await failure(resend.contacts.create({} as never)), "422 missing_required_field")
  },

  "segments": async ({ resend }) => {
    const { id, ...created } = await ok(resend.segments.create({ name: "Beta" }))
    assert.deepStrictEqual(created, { object: "segment", name: "Beta" })
    assert.include(await ok(resend.segments.get(id)), { object: "segment", id, name: "Beta" })
    assert.include(await ok(resend.segments.update(id, { name: "Gamma" })), { object: "segment", id })
    assert.deepStrictEqual((await ok(resend.segments.list())).data.map(({ name }) => name), ["Gamma"])
    const contact = await ok(resend.contacts.create({ email: "ada@example.com", segments: [{ id }] }))

    assert.deepStrictEqual(await ok(resend.segments.remove(id)), { object: "segment", id, deleted: true })
    assert.deepStrictEqual((await ok(resend.contacts.segments.list({ contactId: contact.id }))).data, [])
    assert.strictEqual((await ok(resend.contacts.get(contact.id))).email, "ada@example.com")
    assert.strictEqual(await failure(resend.segments.get(id)), "404 not_found")
    assert.strictEqual((await resend.segments.get(id)).error?.message, "Audience not found")
    // The service says so of segments that never were.
    assert.deepStrictEqual(await ok(resend.segments.remove(nobody)), { object: "segment", id: nobody, deleted: true })
    assert.strictEqual(await failure(resend.segments.update(nobody, { name: "x" })), "404 not_found")
    assert.strictEqual(await failure(resend.segments.create({} as never)), "422 missing_required_field")
  },

  "topics": async ({ resend }) => {
    const { id } = await ok(resend.topics.create({ name: "News", defaultSubscription: "opt_in" }))
    assert.include(await ok(resend.topics.get(id)), { id, name: "News", default_subscription: "opt_in" })
    assert.strictEqual((await ok(resend.topics.update({ id, name: "Weekly", description: "Some" }))).id, id)
    assert.include(await ok(resend.topics.get(id)), { name: "Weekly", description: "Some" })
    assert.deepStrictEqual((await ok(resend.topics.list())).data.map(({ name }) => name), ["Weekly"])
    assert.deepStrictEqual(await ok(resend.topics.remove(id)), { object: "topic", id, deleted: true })
    assert.strictEqual(await failure(resend.topics.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.topics.update({ id, name: "x" })), "404 not_found")
    assert.strictEqual(await failure(resend.topics.remove(id)), "404 not_found")
    assert.strictEqual(await failure(resend.topics.create({} as never)), "422 missing_required_field")
  },

  "broadcasts": async ({ later, resend }) => {
    const { id: segmentId } = await ok(resend.segments.create({ name: "Beta" }))
    const reached = ["ada@example.com", "bob@example.com"]
    for (const email of [...reached, "suppressed@example.com"]) {
      await ok(resend.contacts.create({ email, segments: [{ id: segmentId }] }))
    }
    await ok(resend.contacts.create({ email: "no@example.com", unsubscribed: true, segments: [{ id: segmentId }] }))
    await ok(resend.contacts.create({ email: "stranger@example.com" }))
    await ok(resend.suppressions.add({ email: "suppressed@example.com" }))

    const content = { segmentId, from: "Ada <ada@example.com>", subject: "Launch", html: "<p>Hello</p>" }
    const { id } = await ok(resend.broadcasts.create({ ...content, name: "Launch", replyTo: "ada@example.com" }))
    assert.deepInclude(await ok(resend.broadcasts.get(id)), {
      object: "broadcast",
      id,
      name: "Launch",
      segment_id: segmentId,
      from: "Ada <ada@example.com>",
      subject: "Launch",
      html: "<p>Hello</p>",
      text: null,
      reply_to: ["ada@example.com"],
      status: "draft",
      scheduled_at: null,
      sent_at: null
    })
    assert.strictEqual((await ok(resend.broadcasts.update(id, { subject: "Launch!", previewText: "Now" }))).id, id)
    assert.include(await ok(resend.broadcasts.get(id)), { subject: "Launch!", preview_text: "Now" })
    const copy = await ok(resend.broadcasts.duplicate(id))

    assert.strictEqual((await ok(resend.broadcasts.send(id))).id, id)
    assert.strictEqual((await ok(resend.broadcasts.get(id))).status, "queued")
    const sent = await ok(resend.broadcasts.get(id))
    assert.strictEqual(sent.status, "sent")
    assert.isNotNull(sent.sent_at)
    const recipients = async (type: "delivered" | "opened" | "sent" | "suppressed") =>
      (await ok(resend.broadcasts.recipients(id, { type }))).data.map(({ email }) => email).sort()
    assert.deepStrictEqual(await recipients("delivered"), reached)
    assert.deepStrictEqual(await recipients("sent"), reached)
    assert.deepStrictEqual(await recipients("suppressed"), ["suppressed@example.com"])
    assert.deepStrictEqual(await recipients("opened"), [])
    assert.match(await failure(resend.broadcasts.send(id)), /^4\d\d validation_error$/)
    assert.match(await failure(resend.broadcasts.update(id, { name: "x" })), /^4\d\d validation_error$/)
    assert.match(await failure(resend.broadcasts.cancel(id)), /^4\d\d validation_error$/)
    assert.match(await failure(resend.broadcasts.remove(id)), /^4\d\d validation_error$/)

    assert.include(await ok(resend.broadcasts.get(copy.id)), { status: "draft", subject: "Launch!", sent_at: null })
    await ok(resend.broadcasts.send(copy.id, { scheduledAt: "in 1 hour" }))
    const waiting = await ok(resend.broadcasts.get(copy.id))
    assert.strictEqual<string>(waiting.status, "scheduled")
    assert.isNotNull(waiting.scheduled_at)
    assert.deepStrictEqual(await ok(resend.broadcasts.cancel(copy.id)), { object: "broadcast", id: copy.id })
    assert.include(await ok(resend.broadcasts.get(copy.id)), { status: "draft", scheduled_at: null })
    assert.deepStrictEqual(await ok(resend.broadcasts.remove(copy.id)), {
      object: "broadcast",
      id: copy.id,
      deleted: true
    })

    const atOnce = await ok(resend.broadcasts.create({ ...content, send: true }))
    assert.strictEqual((await ok(resend.broadcasts.get(atOnce.id))).status, "queued")
    const scheduled = await ok(resend.broadcasts.create({ ...content, send: true, scheduledAt: later.toISOString() }))
    assert.strictEqual<string>((await ok(resend.broadcasts.get(scheduled.id))).status, "scheduled")
    assert.deepStrictEqual((await ok(resend.broadcasts.list())).data.map(({ id }) => id), [
      scheduled.id,
      atOnce.id,
      id
    ])

    assert.strictEqual(await failure(resend.broadcasts.get(copy.id)), "404 not_found")
    assert.strictEqual(await failure(resend.broadcasts.send(copy.id)), "404 not_found")
    assert.strictEqual(await failure(resend.broadcasts.cancel(nobody)), "404 not_found")
    assert.strictEqual(await failure(resend.broadcasts.duplicate(nobody)), "404 not_found")
    assert.strictEqual(await failure(resend.broadcasts.recipients(nobody, { type: "sent" })), "404 not_found")
    assert.strictEqual(await failure(resend.broadcasts.create({} as never)), "422 missing_required_field")
  },

  "webhooks": async ({ resend }) => {
    const { id, signing_secret } = await ok(
      resend.webhooks.create({ endpoint: "https://example.com/hook", events: ["email.sent", "contact.created"] })
    )
    assert.match(signing_secret, /^whsec_[A-Za-z0-9+/]+={0,2}$/)
    assert.deepInclude(await ok(resend.webhooks.get(id)), {
      object: "webhook",
      id,
      endpoint: "https://example.com/hook",
      events: ["email.sent", "contact.created"],
      status: "enabled",
      signing_secret
    })
    assert.deepStrictEqual(
      await ok(resend.webhooks.update(id, { events: ["email.opened"], status: "disabled" })),
      { object: "webhook", id }
    )
    const [listed, ...more] = (await ok(resend.webhooks.list())).data
    assert.deepInclude(listed, { id, events: ["email.opened"], status: "disabled" })
    assert.deepStrictEqual(more, [])
    assert.notProperty(listed, "signing_secret")
    const rotated = await ok(resend.webhooks.rotateSigningSecret(id))
    assert.notStrictEqual(rotated.signing_secret, signing_secret)
    assert.strictEqual((await ok(resend.webhooks.get(id))).signing_secret, rotated.signing_secret)

    assert.deepStrictEqual(await ok(resend.webhooks.remove(id)), { object: "webhook", id, deleted: true })
    assert.strictEqual(await failure(resend.webhooks.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.webhooks.update(id, { status: "enabled" })), "404 not_found")
    assert.strictEqual(await failure(resend.webhooks.rotateSigningSecret(id)), "404 not_found")
    assert.strictEqual(await failure(resend.webhooks.remove(id)), "404 not_found")
    assert.strictEqual(await failure(resend.webhooks.create({} as never)), "422 missing_required_field")
  },

  "suppressions": async ({ resend }) => {
    const email = "ada+news@example.com"
    const { id } = await ok(resend.suppressions.add({ email }))
    assert.strictEqual((await ok(resend.suppressions.add({ email }))).id, id)
    const suppression = await ok(resend.suppressions.get(id))
    assert.deepInclude(suppression, { object: "suppression", id, email, origin: "manual", source_id: null })
    assert.deepStrictEqual(await ok(resend.suppressions.get(email)), suppression)

    const added = await ok(resend.suppressions.batch.add({ emails: [email, "b@example.com", "c@example.com"] }))
    assert.strictEqual(added.data.length, 3)
    assert.strictEqual(added.data[0]?.id, id)
    const emails = async (origin?: "manual" | "bounce") =>
      (await ok(resend.suppressions.list(origin === undefined ? {} : { origin }))).data.map(({ email }) => email).sort()
    assert.deepStrictEqual(await emails(), [email, "b@example.com", "c@example.com"])
    assert.deepStrictEqual(await emails("manual"), [email, "b@example.com", "c@example.com"])
    assert.deepStrictEqual(await emails("bounce"), [])

    assert.deepStrictEqual(await ok(resend.suppressions.batch.remove({ emails: ["b@example.com"] })), {
      data: [{ object: "suppression", id: added.data[1]!.id, deleted: true }]
    })
    assert.deepStrictEqual(await ok(resend.suppressions.batch.remove({ ids: [added.data[2]!.id] })), {
      data: [{ object: "suppression", id: added.data[2]!.id, deleted: true }]
    })
    assert.deepStrictEqual(await ok(resend.suppressions.remove(email)), { object: "suppression", id, deleted: true })
    assert.deepStrictEqual(await emails(), [])
    assert.strictEqual(await failure(resend.suppressions.get(email)), "404 not_found")
    assert.strictEqual(await failure(resend.suppressions.remove(id)), "404 not_found")
    assert.strictEqual(await failure(resend.suppressions.batch.add({ emails: [] })), "422 validation_error")
    assert.strictEqual(await failure(resend.suppressions.add({} as never)), "422 missing_required_field")
  },

  "contact properties": async ({ resend }) => {
    const { id } = await ok(resend.contactProperties.create({ key: "seats", type: "number", fallbackValue: 1 }))
    const text = await ok(resend.contactProperties.create({ key: "company", type: "string" }))
    assert.deepInclude(await ok(resend.contactProperties.get(id)), {
      id,
      key: "seats",
      type: "number",
      fallbackValue: 1
    })
    assert.deepInclude(await ok(resend.contactProperties.get(text.id)), { key: "company", fallbackValue: null })
    assert.deepStrictEqual(await ok(resend.contactProperties.update({ id, fallbackValue: null })), {
      object: "contact_property",
      id
    })
    assert.deepStrictEqual(
      (await ok(resend.contactProperties.list())).data.map(({ fallbackValue, key }) => [key, fallbackValue]),
      [["company", null], ["seats", null]]
    )
    const contact = await ok(resend.contacts.create({ email: "ada@example.com", properties: { seats: 3 } }))
    assert.deepStrictEqual(await ok(resend.contactProperties.remove(id)), {
      object: "contact_property",
      id,
      deleted: true
    })
    assert.deepStrictEqual((await ok(resend.contacts.get(contact.id))).properties, {})
    assert.strictEqual(await failure(resend.contactProperties.get(id)), "404 not_found")
    assert.strictEqual(await failure(resend.contactProperties.update({ id, fallbackValue: 2 })), "404 not_found")
    assert.strictEqual(await failure(resend.contactProperties.remove(id)), "404 not_found")
    assert.strictEqual(
      await failure(resend.contactProperties.create({ key: "no spaces", type: "string" })),
      "422 validation_error"
    )
    assert.strictEqual(
      await failure(resend.contactProperties.create({ key: "company", type: "string" })),
      "422 validation_error"
    )
  },

  "emails": async ({ later, resend }) => {
    const { data } = await ok(resend.emails.list({ limit: 100 }))
    for (const { id, last_event, subject } of data) {
      assert.include(await ok(resend.emails.get(id)), { object: "email", id, last_event, subject })
    }
    const scheduled = data.find(({ last_event }) => last_event === "scheduled")
    const delivered = data.find(({ last_event }) => last_event === "delivered")
    assert(scheduled !== undefined && delivered !== undefined)
    const { id } = scheduled
    assert.deepStrictEqual(await ok(resend.emails.update({ id, scheduledAt: later.toISOString() })), {
      object: "email",
      id
    })
    const moved = await ok(resend.emails.get(id))
    assert.strictEqual(Date.parse(`${moved.scheduled_at!.replace(" ", "T")}:00`), later.getTime())
    assert.deepStrictEqual(await ok(resend.emails.cancel(id)), { object: "email", id })
    assert.strictEqual((await ok(resend.emails.get(id))).last_event, "canceled")
    assert.match(await failure(resend.emails.cancel(id)), /^4\d\d validation_error$/)
    assert.match(
      await failure(resend.emails.update({ id: delivered.id, scheduledAt: later.toISOString() })),
      /^4\d\d validation_error$/
    )
    assert.strictEqual(await failure(resend.emails.get(nobody)), "404 not_found")
    assert.strictEqual(await failure(resend.emails.cancel(nobody)), "404 not_found")

    const attachments = (await Promise.all(
      data.map(async ({ id }) =>
        (await ok(resend.emails.attachments.list({ emailId: id }))).data.map((item) => ({ emailId: id, item }))
      )
    )).flat()
    assert.isNotEmpty(attachments)
    const { emailId, item } = attachments[0]!
    assert.deepInclude(await ok(resend.emails.attachments.get({ emailId, id: item.id })), {
      object: "attachment",
      id: item.id,
      size: item.size
    })
    assert.strictEqual(await failure(resend.emails.attachments.get({ emailId, id: nobody })), "404 not_found")
    assert.strictEqual(await failure(resend.emails.attachments.list({ emailId: nobody })), "404 not_found")
  },

  "sends": async ({ later, resend }) => {
    const email = { from: "Ada <ada@example.com>", to: "delivered@resend.dev", subject: "Hello", text: "Hi" }
    const { id } = await ok(resend.emails.send(email))
    assert.deepInclude(await ok(resend.emails.get(id)), { ...email, to: [email.to], last_event: "delivered" })
    const html = await ok(
      resend.emails.create({
        ...email,
        html: "<p>Hi</p>",
        to: ["bounced@resend.dev"],
        cc: "c@example.com",
        bcc: ["d@example.com"],
        replyTo: "e@example.com",
        headers: { "X-Entity": "1" },
        tags: [{ name: "kind", value: "test" }]
      })
    )
    assert.deepInclude(await ok(resend.emails.get(html.id)), {
      html: "<p>Hi</p>",
      cc: ["c@example.com"],
      reply_to: ["e@example.com"],
      last_event: "bounced"
    })
    const attached = await ok(
      resend.emails.send({
        ...email,
        attachments: [
          { filename: "hello.txt", content: Buffer.from("Hello"), contentType: "text/plain" },
          { filename: "report.pdf", path: "https://example.com/report.pdf" }
        ]
      })
    )
    const { data: files } = await ok(resend.emails.attachments.list({ emailId: attached.id }))
    assert.deepStrictEqual(files.map(({ filename }) => filename), ["report.pdf", "hello.txt"])
    assert.strictEqual(await (await fetch(files[1]!.download_url)).text(), "Hello")

    const scheduled = await ok(resend.emails.send({ ...email, scheduledAt: later.toISOString() }))
    assert.strictEqual((await ok(resend.emails.get(scheduled.id))).last_event, "scheduled")
    await ok(resend.emails.cancel(scheduled.id))

    const template = await ok(
      resend.templates.create({
        name: "Welcome",
        alias: "welcome",
        subject: "Welcome",
        html: "<p>{{{NAME}}}</p>",
        variables: [{ key: "NAME", type: "string" }]
      })
    )
    await ok(resend.templates.publish(template.id))
    const welcome = { from: email.from, to: email.to, template: { id: "welcome", variables: { NAME: "Ada" } } }
    const rendered = await ok(resend.emails.send(welcome))
    assert.include(await ok(resend.emails.get(rendered.id)), { subject: "Welcome", html: "<p>Ada</p>" })
    assert.strictEqual(
      await failure(resend.emails.send({ ...welcome, template: { id: "welcome" } })),
      "422 validation_error"
    )

    const options = { idempotencyKey: "one" }
    const first = await ok(resend.emails.send(email, options))
    assert.deepStrictEqual(await ok(resend.emails.send(email, options)), first)
    assert.strictEqual(
      await failure(resend.emails.send({ ...email, subject: "Other" }, options)),
      "409 invalid_idempotent_request"
    )
    assert.strictEqual(
      await failure(resend.emails.send(email, { idempotencyKey: "x".repeat(257) })),
      "400 invalid_idempotency_key"
    )

    const batch = await ok(resend.batch.send([email, email], { idempotencyKey: "many" }))
    assert.deepStrictEqual(await ok(resend.batch.send([email, email], { idempotencyKey: "many" })), batch)
    const wrong = { ...email, to: "nobody" }
    assert.strictEqual(await failure(resend.batch.send([email, wrong])), "422 validation_error")
    const some = await ok(resend.batch.create([wrong, email], { batchValidation: "permissive" }))
    assert.strictEqual(some.data.length, 1)
    assert.deepStrictEqual(some.errors.map(({ index }) => index), [0])
  },

  "received emails": async ({ resend }) => {
    const { data } = await ok(resend.emails.receiving.list())
    const withAttachments = data.find(({ attachments }) => attachments.length > 0)
    assert(withAttachments !== undefined)
    for (const { id, subject } of data) {
      assert.include(await ok(resend.emails.receiving.get(id)), { object: "email", id, subject })
    }
    const { attachments, id: emailId } = withAttachments
    const listed = await ok(resend.emails.receiving.attachments.list({ emailId }))
    assert.deepStrictEqual(listed.data.map(({ id }) => id).sort(), attachments.map(({ id }) => id).sort())
    for (const { id, size } of listed.data) {
      assert.include(await ok(resend.emails.receiving.attachments.get({ emailId, id })), {
        object: "attachment",
        id,
        size
      })
    }
    assert.strictEqual(await failure(resend.emails.receiving.get(nobody)), "404 not_found")
    assert.strictEqual(await failure(resend.emails.receiving.attachments.get({ emailId, id: nobody })), "404 not_found")
  },
  "lists in pages": async ({ resend }) => {
    const numbers = Array.from({ length: 7 }, (_, number) => number)
    const { id: contactId } = await ok(resend.contacts.create({ email: "ada@example.com" }))
    const { id: segmentId } = await ok(resend.segments.create({ name: "All" }))
    await ok(resend.suppressions.batch.add({ emails: numbers.map((number) => `${number}@example.org`) }))
    for (const number of numbers) {
      await ok(resend.webhooks.create({ endpoint: `https://example.com/${number}`, events: ["email.sent"] }))
      await ok(resend.contactProperties.create({ key: `key_${number}`, type: "string" }))
      await ok(resend.topics.create({ name: `Topic ${number}`, defaultSubscription: "opt_in" }))
      const segment = await ok(resend.segments.create({ name: `Segment ${number}` }))
      await ok(resend.contacts.segments.add({ contactId, segmentId: segment.id }))
      await ok(resend.contacts.create({ email: `${number}@example.com`, segments: [{ id: segmentId }] }))
    }
    const broadcast = await ok(
      resend.broadcasts.create({ segmentId, from: "a@example.com", subject: "All", text: "Hello", send: true })
    )
    await ok(resend.broadcasts.get(broadcast.id))

    const lists: Readonly<Record<string, (page: PaginationOptions) => Promise<Listed>>> = {
      suppressions: (page) => resend.suppressions.list(page),
      "suppressions of an origin": (page) => resend.suppressions.list({ ...page, origin: "manual" }),
      webhooks: (page) => resend.webhooks.list(page),
      "contact properties": (page) => resend.contactProperties.list(page),
      "topics of a contact": (page) => resend.contacts.topics.list({ ...page, id: contactId }),
      "segments of a contact": (page) => resend.contacts.segments.list({ ...page, contactId }),
      recipients: (page) => resend.broadcasts.recipients(broadcast.id, { ...page, type: "delivered" })
    }
    for (const [name, list] of Object.entries(lists)) {
      const all = (await ok(list({ limit: 100 }))).data.map(({ id }) => id)
      assert.strictEqual(new Set(all).size, numbers.length, name)
      const there: Array<string> = []
      for (let page = await ok(list({ limit: 3 }));; page = await ok(list({ limit: 3, after: there.at(-1)! }))) {
        there.push(...page.data.map(({ id }) => id))
        if (!page.has_more) break
      }
      assert.deepStrictEqual(there, all, name)
      const back: Array<string> = [all.at(-1)!]
      for (let more = true; more;) {
        const page = await ok(list({ limit: 3, before: back[0]! }))
        back.unshift(...page.data.map(({ id }) => id))
        more = page.has_more
      }
      assert.deepStrictEqual(back, all, name)
      assert.strictEqual(await failure(list({ limit: 101 })), "422 validation_error", name)
    }
  }
}
