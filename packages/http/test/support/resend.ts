/**
 * Every operation and every list of the API twice: as a call of the `resend` SDK and as a call of a service of this package,
 * with the response to it.
 */
import type { Resend } from "resend"

/** A method of a service of this package, and its arguments. */
export interface Ours {
  readonly service: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
}

export interface Call {
  /** As the SDK calls it, and what is special: `contacts.get by email`. */
  readonly name: string
  readonly send: (resend: Resend) => PromiseLike<unknown>
  readonly status: 200 | 201
  readonly response: unknown
  readonly ours: Ours
  /** What the SDK sends and this package does not, on purpose. */
  readonly differs?: Difference | undefined
}

export interface Difference {
  readonly reason: string
  /** The body that this package sends instead. */
  readonly body?: unknown
  /** The query that this package sends instead. */
  readonly query?: Readonly<Record<string, string>>
}

const ours = (service: string, method: string, ...args: ReadonlyArray<unknown>): Ours => ({ service, method, args })

/** The types of the SDK say what a response is. */
const call = <Data>(
  name: string,
  send: (resend: Resend) => PromiseLike<{ readonly data: Data | null }>,
  response: NoInfer<Data>,
  ours: Ours,
  differs?: Difference
): Call => ({ name, send, status: 200, response, ours, differs })

/** Where the types of the SDK are not what it gets: the service says otherwise, or the SDK renames fields. */
const wire = (
  name: string,
  send: (resend: Resend) => PromiseLike<unknown>,
  response: unknown,
  ours: Ours,
  differs?: Difference
): Call => ({ name, send, status: 200, response, ours, differs })

const created = (call: Call): Call => ({ ...call, status: 201 })

const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"
const other = "0b9dd6a9-4a1e-4d0a-9d2c-3a2b1c0d9e8f"
const email = "ada+news@example.com"
const created_at = "2025-11-30 20:41:44.782119+00"
const later = "2026-10-09T14:37:40.951Z"

const domain = {
  id,
  name: "example.com",
  status: "not_started" as const,
  created_at,
  region: "eu-west-1" as const,
  capabilities: { sending: "enabled" as const, receiving: "disabled" as const }
}

const records = [
  {
    record: "SPF" as const,
    name: "send",
    type: "MX" as const,
    value: "feedback-smtp.eu-west-1.amazonses.com",
    ttl: "Auto",
    status: "not_started" as const,
    priority: 10
  },
  {
    record: "DKIM" as const,
    name: "resend._domainkey",
    type: "TXT" as const,
    value: "p=MIGfMA0",
    ttl: "Auto",
    status: "not_started" as const
  }
]

const domains: ReadonlyArray<Call> = [
  created(call(
    "domains.create",
    (resend) => resend.domains.create({ name: "example.com" }),
    { ...domain, records },
    ours("Domains", "create", { name: "example.com" })
  )),
  created(call(
    "domains.create with everything",
    (resend) =>
      resend.domains.create({
        name: "example.com",
        region: "eu-west-1",
        customReturnPath: "bounces",
        openTracking: true,
        clickTracking: false,
        trackingSubdomain: "links",
        tls: "enforced",
        capabilities: { receiving: "enabled" }
      }),
    { ...domain, records, open_tracking: true, click_tracking: false, tracking_subdomain: "links" },
    ours("Domains", "create", {
      name: "example.com",
      region: "eu-west-1",
      custom_return_path: "bounces",
      open_tracking: true,
      click_tracking: false,
      tracking_subdomain: "links",
      tls: "enforced",
      capabilities: { receiving: "enabled" }
    })
  )),
  call(
    "domains.get",
    (resend) => resend.domains.get(id),
    { object: "domain", ...domain, records },
    ours("Domains", "get", id)
  ),
  call(
    "domains.update",
    (resend) =>
      resend.domains.update({
        id,
        clickTracking: true,
        openTracking: false,
        tls: "opportunistic",
        trackingSubdomain: "links",
        capabilities: { sending: "disabled" }
      }),
    { object: "domain", id },
    ours("Domains", "update", id, {
      click_tracking: true,
      open_tracking: false,
      tls: "opportunistic",
      tracking_subdomain: "links",
      capabilities: { sending: "disabled" }
    })
  ),
  call(
    "domains.verify",
    (resend) => resend.domains.verify(id),
    { object: "domain", id },
    ours("Domains", "verify", id)
  ),
  call(
    "domains.remove",
    (resend) => resend.domains.remove(id),
    { object: "domain", id, deleted: true },
    ours("Domains", "remove", id)
  )
]

const apiKeys: ReadonlyArray<Call> = [
  // The service calls a key a list.
  created(wire(
    "apiKeys.create",
    (resend) => resend.apiKeys.create({ name: "" }),
    { id, object: "list", token: "re_token" },
    ours("ApiKeys", "create", { name: "" })
  )),
  created(call(
    "apiKeys.create for one domain",
    (resend) => resend.apiKeys.create({ name: "CI", permission: "sending_access", domain_id: other }),
    { id, token: "re_token" },
    ours("ApiKeys", "create", { name: "CI", permission: "sending_access", domain_id: other })
  )),
  call(
    "apiKeys.update",
    (resend) => resend.apiKeys.update(id, { name: "Deploy" }),
    { object: "api_key", id },
    ours("ApiKeys", "update", id, { name: "Deploy" })
  ),
  wire(
    "apiKeys.remove",
    (resend) => resend.apiKeys.remove(id),
    { object: "list", id, deleted: true },
    ours("ApiKeys", "remove", id)
  )
]

const template = {
  id,
  name: "Welcome",
  status: "published" as const,
  published_at: created_at,
  created_at,
  updated_at: created_at,
  alias: "welcome"
}

const templates: ReadonlyArray<Call> = [
  created(call(
    "templates.create",
    (resend) => resend.templates.create({ name: "Welcome", html: "<p>Hello</p>" }),
    { object: "template", id },
    ours("Templates", "create", { name: "Welcome", html: "<p>Hello</p>" })
  )),
  created(call(
    "templates.create with everything",
    (resend) =>
      resend.templates.create({
        name: "Welcome",
        html: "<p>Hello {{{NAME}}}</p>",
        text: "Hello",
        alias: "welcome",
        from: "Ada <ada@example.com>",
        subject: "Hello",
        replyTo: ["ada@example.com", "bob@example.com"],
        variables: [
          { key: "NAME", type: "string", fallbackValue: "you" },
          { key: "COUNT", type: "number", fallbackValue: null },
          { key: "PLAIN", type: "number" }
        ]
      }),
    { object: "template", id },
    ours("Templates", "create", {
      name: "Welcome",
      html: "<p>Hello {{{NAME}}}</p>",
      text: "Hello",
      alias: "welcome",
      from: "Ada <ada@example.com>",
      subject: "Hello",
      reply_to: ["ada@example.com", "bob@example.com"],
      variables: [
        { key: "NAME", type: "string", fallback_value: "you" },
        { key: "COUNT", type: "number", fallback_value: null },
        { key: "PLAIN", type: "number" }
      ]
    })
  )),
  call(
    "templates.get",
    (resend) => resend.templates.get(id),
    {
      object: "template",
      ...template,
      subject: "Hello",
      html: "<p>Hello</p>",
      text: null,
      from: null,
      reply_to: ["ada@example.com"],
      variables: [{ key: "NAME", type: "string", fallback_value: "you", created_at, updated_at: created_at }],
      has_unpublished_versions: true,
      current_version_id: other
    },
    ours("Templates", "get", id)
  ),
  call(
    "templates.get by alias",
    (resend) => resend.templates.get("welcome"),
    {
      object: "template",
      ...template,
      status: "draft",
      published_at: null,
      subject: null,
      html: "<p>Hello</p>",
      text: null,
      from: null,
      reply_to: null,
      variables: null,
      has_unpublished_versions: false,
      current_version_id: other
    },
    ours("Templates", "get", { alias: "welcome" })
  ),
  call(
    "templates.update",
    (resend) =>
      resend.templates.update("welcome", {
        name: "Welcome!",
        html: "<p>Hi</p>",
        text: null,
        alias: "hello",
        from: "ada@example.com",
        subject: null,
        replyTo: "ada@example.com",
        variables: [{ key: "NAME", type: "string" }]
      }),
    { object: "template", id },
    ours("Templates", "update", { alias: "welcome" }, {
      name: "Welcome!",
      html: "<p>Hi</p>",
      text: null,
      alias: "hello",
      from: "ada@example.com",
      subject: null,
      reply_to: "ada@example.com",
      variables: [{ key: "NAME", type: "string" }]
    })
  ),
  call(
    "templates.publish",
    (resend) => resend.templates.publish(id),
    { object: "template", id },
    ours("Templates", "publish", id)
  ),
  created(call(
    "templates.duplicate",
    (resend) => resend.templates.duplicate("welcome"),
    { object: "template", id: other },
    ours("Templates", "duplicate", { alias: "welcome" })
  )),
  call(
    "templates.remove",
    (resend) => resend.templates.remove(id),
    { object: "template", id, deleted: true },
    ours("Templates", "remove", id)
  )
]

const contact = { id, email, first_name: "Ada", last_name: null, created_at, unsubscribed: false }

const contacts: ReadonlyArray<Call> = [
  created(call(
    "contacts.create",
    (resend) => resend.contacts.create({ email }),
    { object: "contact", id },
    ours("Contacts", "create", { email })
  )),
  created(call(
    "contacts.create with everything",
    (resend) =>
      resend.contacts.create({
        email,
        firstName: "Ada",
        lastName: "Lovelace",
        unsubscribed: false,
        properties: { company: "Analytical Engines", seats: 3, note: null },
        segments: [{ id: other }],
        topics: [{ id: other, subscription: "opt_in" }]
      }),
    { object: "contact", id },
    ours("Contacts", "create", {
      email,
      first_name: "Ada",
      last_name: "Lovelace",
      unsubscribed: false,
      properties: { company: "Analytical Engines", seats: 3, note: null },
      segments: [{ id: other }],
      topics: [{ id: other, subscription: "opt_in" }]
    })
  )),
  call(
    "contacts.get",
    (resend) => resend.contacts.get(id),
    {
      object: "contact",
      ...contact,
      properties: { company: { type: "string", value: "Analytical Engines" }, seats: { type: "number", value: 3 } }
    },
    ours("Contacts", "get", id)
  ),
  call(
    "contacts.get by email",
    (resend) => resend.contacts.get({ email }),
    { object: "contact", ...contact, properties: {} },
    ours("Contacts", "get", { email })
  ),
  call(
    "contacts.update",
    (resend) =>
      resend.contacts.update({
        id,
        firstName: null,
        lastName: "King",
        unsubscribed: true,
        properties: { company: null, seats: 4 }
      }),
    { object: "contact", id },
    ours("Contacts", "update", id, {
      first_name: null,
      last_name: "King",
      unsubscribed: true,
      properties: { company: null, seats: 4 }
    })
  ),
  call(
    "contacts.update by email",
    (resend) => resend.contacts.update({ email, unsubscribed: true }),
    { object: "contact", id },
    ours("Contacts", "update", { email }, { unsubscribed: true })
  ),
  call(
    "contacts.remove",
    (resend) => resend.contacts.remove(id),
    { object: "contact", contact: id, deleted: true },
    ours("Contacts", "remove", id)
  ),
  call(
    "contacts.remove by email",
    (resend) => resend.contacts.remove({ email }),
    { object: "contact", contact: id, deleted: true },
    ours("Contacts", "remove", { email })
  ),
  call(
    "contacts.segments.add",
    (resend) => resend.contacts.segments.add({ contactId: id, segmentId: other }),
    { id: other },
    ours("Contacts", "join", id, other)
  ),
  call(
    "contacts.segments.add by email",
    (resend) => resend.contacts.segments.add({ email, segmentId: other }),
    { id: other },
    ours("Contacts", "join", { email }, other)
  ),
  call(
    "contacts.segments.remove",
    (resend) => resend.contacts.segments.remove({ contactId: id, segmentId: other }),
    { id, audienceId: other, deleted: true },
    ours("Contacts", "leave", id, other)
  ),
  call(
    "contacts.topics.update",
    (resend) => resend.contacts.topics.update({ id, topics: [{ id: other, subscription: "opt_out" }] }),
    { id },
    ours("Contacts", "updateTopics", id, [{ id: other, subscription: "opt_out" }])
  ),
  call(
    "contacts.topics.update by email",
    (resend) => resend.contacts.topics.update({ email, topics: [{ id: other, subscription: "opt_in" }] }),
    { id },
    ours("Contacts", "updateTopics", { email }, [{ id: other, subscription: "opt_in" }])
  )
]

const segment = { id, name: "Beta", created_at }

const segments: ReadonlyArray<Call> = [
  created(call(
    "segments.create",
    (resend) => resend.segments.create({ name: "Beta" }),
    { object: "segment", id, name: "Beta" },
    ours("Segments", "create", { name: "Beta" })
  )),
  // The service's older name of a segment.
  created(wire(
    "segments.create as an audience",
    (resend) => resend.segments.create({ name: "Beta" }),
    { object: "audience", id, name: "Beta" },
    ours("Segments", "create", { name: "Beta" })
  )),
  call(
    "segments.get",
    (resend) => resend.segments.get(id),
    { object: "segment", ...segment },
    ours("Segments", "get", id)
  ),
  call(
    "segments.update",
    (resend) => resend.segments.update(id, { name: "Gamma" }),
    { object: "segment", id },
    ours("Segments", "update", id, { name: "Gamma" })
  ),
  call(
    "segments.remove",
    (resend) => resend.segments.remove(id),
    { object: "segment", id, deleted: true },
    ours("Segments", "remove", id)
  ),
  wire(
    "segments.remove as an audience",
    (resend) => resend.segments.remove(id),
    { object: "audience", id, deleted: true },
    ours("Segments", "remove", id)
  )
]

const topic = { id, name: "News", description: "All of it", default_subscription: "opt_in" as const, created_at }

const topics: ReadonlyArray<Call> = [
  created(wire(
    "topics.create",
    (resend) => resend.topics.create({ name: "News", description: "All of it", defaultSubscription: "opt_in" }),
    { object: "topic", id },
    ours("Topics", "create", { name: "News", description: "All of it", default_subscription: "opt_in" })
  )),
  call("topics.get", (resend) => resend.topics.get(id), topic, ours("Topics", "get", id)),
  wire(
    "topics.update",
    (resend) => resend.topics.update({ id, name: "Weekly", description: "Some of it" }),
    { object: "topic", id },
    ours("Topics", "update", id, { name: "Weekly", description: "Some of it" }),
    { reason: "the SDK repeats the id in the body", body: { name: "Weekly", description: "Some of it" } }
  ),
  call(
    "topics.remove",
    (resend) => resend.topics.remove(id),
    { object: "topic", id, deleted: true },
    ours("Topics", "remove", id)
  )
]

const broadcast = {
  id,
  name: "Launch",
  audience_id: other,
  segment_id: other,
  status: "draft" as const,
  created_at,
  scheduled_at: null,
  sent_at: null
}

const broadcasts: ReadonlyArray<Call> = [
  created(call(
    "broadcasts.create",
    (resend) =>
      resend.broadcasts.create({
        segmentId: other,
        from: "Ada <ada@example.com>",
        subject: "Launch",
        html: "<p>Hello</p>"
      }),
    { id },
    ours("Broadcasts", "create", {
      segment_id: other,
      from: "Ada <ada@example.com>",
      subject: "Launch",
      html: "<p>Hello</p>"
    })
  )),
  created(call(
    "broadcasts.create with everything",
    (resend) =>
      resend.broadcasts.create({
        segmentId: other,
        from: "ada@example.com",
        subject: "Launch",
        html: "<p>Hello</p>",
        text: "Hello",
        name: "Launch",
        replyTo: ["ada@example.com"],
        previewText: "It is here",
        topicId: other,
        send: true,
        scheduledAt: "in 1 hour"
      }),
    { id },
    ours("Broadcasts", "create", {
      segment_id: other,
      from: "ada@example.com",
      subject: "Launch",
      html: "<p>Hello</p>",
      text: "Hello",
      name: "Launch",
      reply_to: ["ada@example.com"],
      preview_text: "It is here",
      topic_id: other,
      send: true,
      scheduled_at: "in 1 hour"
    })
  )),
  call(
    "broadcasts.get",
    (resend) => resend.broadcasts.get(id),
    {
      object: "broadcast",
      ...broadcast,
      from: "ada@example.com",
      subject: "Launch",
      reply_to: null,
      preview_text: "It is here",
      topic_id: other,
      html: "<p>Hello</p>",
      text: null
    },
    ours("Broadcasts", "get", id)
  ),
  call(
    "broadcasts.update",
    (resend) =>
      resend.broadcasts.update(id, {
        name: "Launch!",
        segmentId: other,
        from: "bob@example.com",
        html: "<p>Hi</p>",
        text: "Hi",
        subject: "Hi",
        replyTo: ["bob@example.com"],
        previewText: "Now",
        topicId: null
      }),
    { id },
    ours("Broadcasts", "update", id, {
      name: "Launch!",
      segment_id: other,
      from: "bob@example.com",
      html: "<p>Hi</p>",
      text: "Hi",
      subject: "Hi",
      reply_to: ["bob@example.com"],
      preview_text: "Now",
      topic_id: null
    })
  ),
  call(
    "broadcasts.send",
    (resend) => resend.broadcasts.send(id),
    { id },
    ours("Broadcasts", "send", id)
  ),
  call(
    "broadcasts.send later",
    (resend) => resend.broadcasts.send(id, { scheduledAt: later }),
    { id },
    ours("Broadcasts", "send", id, { scheduled_at: later })
  ),
  call(
    "broadcasts.cancel",
    (resend) => resend.broadcasts.cancel(id),
    { object: "broadcast", id },
    ours("Broadcasts", "cancel", id)
  ),
  created(call(
    "broadcasts.duplicate",
    (resend) => resend.broadcasts.duplicate(id),
    { object: "broadcast", id: other },
    ours("Broadcasts", "duplicate", id)
  )),
  call(
    "broadcasts.remove",
    (resend) => resend.broadcasts.remove(id),
    { object: "broadcast", id, deleted: true },
    ours("Broadcasts", "remove", id)
  )
]

const webhook = {
  id,
  endpoint: "https://example.com/hook?a=b",
  created_at,
  status: "enabled" as const,
  events: ["email.sent" as const, "contact.created" as const]
}

const webhooks: ReadonlyArray<Call> = [
  created(call(
    "webhooks.create",
    (resend) => resend.webhooks.create({ endpoint: webhook.endpoint, events: webhook.events }),
    { object: "webhook", id, signing_secret: "whsec_c2VjcmV0" },
    ours("Webhooks", "create", { endpoint: webhook.endpoint, events: webhook.events })
  )),
  call(
    "webhooks.get",
    (resend) => resend.webhooks.get(id),
    { object: "webhook", ...webhook, signing_secret: "whsec_c2VjcmV0" },
    ours("Webhooks", "get", id)
  ),
  call(
    "webhooks.update",
    (resend) =>
      resend.webhooks.update(id, { endpoint: "https://example.com", events: ["email.opened"], status: "disabled" }),
    { object: "webhook", id },
    ours("Webhooks", "update", id, {
      endpoint: "https://example.com",
      events: ["email.opened"],
      status: "disabled"
    })
  ),
  call(
    "webhooks.rotateSigningSecret",
    (resend) => resend.webhooks.rotateSigningSecret(id),
    { object: "webhook", id, signing_secret: "whsec_b3RoZXI=" },
    ours("Webhooks", "rotateSecret", id)
  ),
  call(
    "webhooks.remove",
    (resend) => resend.webhooks.remove(id),
    { object: "webhook", id, deleted: true },
    ours("Webhooks", "remove", id)
  )
]

const suppression = { id, email, origin: "bounce" as const, source_id: other, created_at }

const suppressions: ReadonlyArray<Call> = [
  created(call(
    "suppressions.add",
    (resend) => resend.suppressions.add({ email }),
    { object: "suppression", id },
    ours("Suppressions", "create", { email })
  )),
  call(
    "suppressions.get",
    (resend) => resend.suppressions.get(id),
    { object: "suppression", ...suppression },
    ours("Suppressions", "get", id)
  ),
  call(
    "suppressions.get by email",
    (resend) => resend.suppressions.get(email),
    { object: "suppression", ...suppression, origin: "manual", source_id: null },
    ours("Suppressions", "get", { email })
  ),
  call(
    "suppressions.remove",
    (resend) => resend.suppressions.remove(id),
    { object: "suppression", id, deleted: true },
    ours("Suppressions", "remove", id)
  ),
  call(
    "suppressions.remove by email",
    (resend) => resend.suppressions.remove(email),
    { object: "suppression", id, deleted: true },
    ours("Suppressions", "remove", { email })
  ),
  call(
    "suppressions.batch.add",
    (resend) => resend.suppressions.batch.add({ emails: [email, "bob@example.com"] }),
    { data: [{ object: "suppression", id }, { object: "suppression", id: other }] },
    ours("Suppressions", "createMany", { emails: [email, "bob@example.com"] })
  ),
  call(
    "suppressions.batch.remove",
    (resend) => resend.suppressions.batch.remove({ emails: [email] }),
    { data: [{ object: "suppression", id, deleted: true }] },
    ours("Suppressions", "removeMany", { emails: [email] })
  ),
  call(
    "suppressions.batch.remove by id",
    (resend) => resend.suppressions.batch.remove({ ids: [id, other] }),
    {
      data: [{ object: "suppression", id, deleted: true }, { object: "suppression", id: other, deleted: true }]
    },
    ours("Suppressions", "removeMany", { ids: [id, other] })
  )
]

const property = { id, key: "company", type: "string", fallback_value: "unknown", created_at }

const contactProperties: ReadonlyArray<Call> = [
  created(call(
    "contactProperties.create",
    (resend) => resend.contactProperties.create({ key: "company", type: "string" }),
    { object: "contact_property", id },
    ours("ContactProperties", "create", { key: "company", type: "string" })
  )),
  created(call(
    "contactProperties.create with a fallback",
    (resend) => resend.contactProperties.create({ key: "seats", type: "number", fallbackValue: 1 }),
    { object: "contact_property", id },
    ours("ContactProperties", "create", { key: "seats", type: "number", fallback_value: 1 })
  )),
  wire(
    "contactProperties.get",
    (resend) => resend.contactProperties.get(id),
    { object: "contact_property", ...property },
    ours("ContactProperties", "get", id)
  ),
  call(
    "contactProperties.update",
    (resend) => resend.contactProperties.update({ id, fallbackValue: null }),
    { object: "contact_property", id },
    ours("ContactProperties", "update", id, { fallback_value: null })
  ),
  call(
    "contactProperties.remove",
    (resend) => resend.contactProperties.remove(id),
    { object: "contact_property", id, deleted: true },
    ours("ContactProperties", "remove", id)
  )
]

const sent = {
  id,
  message_id: "<1@example.com>",
  to: ["bob@example.com"],
  from: "ada@example.com",
  created_at,
  subject: "Hello",
  bcc: null,
  cc: null,
  reply_to: null,
  last_event: "scheduled" as const,
  scheduled_at: later,
  topic_id: null
}

const received = {
  id,
  to: ["ada@example.com"],
  from: "bob@example.com",
  created_at: later,
  subject: "Re: Hello",
  bcc: null,
  cc: null,
  reply_to: null,
  received_for: ["ada@example.com"],
  message_id: "<2@example.com>",
  attachments: [{
    id: other,
    filename: "a.png",
    size: 3,
    content_type: "image/png",
    content_id: "a",
    content_disposition: "inline"
  }]
}

const attachment = {
  id: other,
  filename: "a.png",
  size: 3,
  content_type: "image/png",
  content_disposition: "inline" as const,
  content_id: "a",
  download_url: "https://example.com/a.png?signature=1",
  expires_at: later
}

const greeting = { from: "Ada <ada@example.com>", to: [email], subject: "Hello", html: "<p>Hello</p>" }

const sends: ReadonlyArray<Call> = [
  call(
    "emails.send",
    (resend) => resend.emails.send({ ...greeting, text: "Hello" }),
    { id },
    ours("Emails", "send", { ...greeting, text: "Hello" })
  ),
  call(
    "emails.send with everything",
    (resend) =>
      resend.emails.send({
        ...greeting,
        to: email,
        cc: "bob@example.com",
        bcc: ["eve@example.com"],
        replyTo: "reply@example.com",
        headers: { "X-Entity-Ref-ID": "1" },
        tags: [{ name: "kind", value: "welcome" }],
        topicId: other,
        scheduledAt: later,
        attachments: [
          { content: Buffer.from("Hello").toString("base64"), filename: "hello.txt", contentType: "text/plain" },
          { path: "https://example.com/a.png", contentId: "a" }
        ]
      }, { idempotencyKey: "welcome/1" }),
    { id },
    ours("Emails", "send", {
      ...greeting,
      to: email,
      cc: "bob@example.com",
      bcc: ["eve@example.com"],
      reply_to: "reply@example.com",
      headers: { "X-Entity-Ref-ID": "1" },
      tags: [{ name: "kind", value: "welcome" }],
      topic_id: other,
      scheduled_at: new Date(later),
      attachments: [
        { content: "SGVsbG8=", filename: "hello.txt", content_type: "text/plain" },
        { path: "https://example.com/a.png", content_id: "a" }
      ]
    }, { idempotencyKey: "welcome/1" })
  ),
  call(
    "emails.create",
    (resend) => resend.emails.create({ ...greeting, text: "Hello" }),
    { id },
    ours("Emails", "send", { ...greeting, text: "Hello" })
  ),
  call(
    "emails.send with a template",
    (resend) => resend.emails.send({ to: email, template: { id: "welcome", variables: { name: "Ada", age: 36 } } }),
    { id },
    ours("Emails", "send", { to: email, template: { id: "welcome", variables: { name: "Ada", age: 36 } } })
  ),
  wire(
    "batch.send",
    (resend) => resend.batch.send([greeting, greeting], { idempotencyKey: "batch/1" }),
    { data: [{ id }, { id: other }] },
    ours("Emails", "sendBatch", [greeting, greeting], { idempotencyKey: "batch/1" })
  ),
  call(
    "batch.create permissively",
    (resend) => resend.batch.create([greeting, { ...greeting, to: "x@y.z" }], { batchValidation: "permissive" }),
    { data: [{ id }], errors: [{ index: 1, message: "No." }] },
    ours("Emails", "sendBatch", [greeting, { ...greeting, to: "x@y.z" }], { validation: "permissive" })
  )
]

const emails: ReadonlyArray<Call> = [
  call(
    "emails.get",
    (resend) => resend.emails.get(id),
    { object: "email", ...sent, html: "<p>Hello</p>", text: null, tags: [{ name: "kind", value: "welcome" }] },
    ours("Emails", "get", id)
  ),
  call(
    "emails.update",
    (resend) => resend.emails.update({ id, scheduledAt: later }),
    { object: "email", id },
    ours("Emails", "reschedule", id, { scheduled_at: later })
  ),
  call(
    "emails.cancel",
    (resend) => resend.emails.cancel(id),
    { object: "email", id },
    ours("Emails", "cancel", id)
  ),
  call(
    "emails.attachments.get",
    (resend) => resend.emails.attachments.get({ emailId: id, id: other }),
    { object: "attachment", ...attachment },
    ours("EmailAttachments", "get", id, other)
  ),
  call(
    "emails.receiving.get",
    (resend) => resend.emails.receiving.get(id),
    {
      object: "email",
      ...received,
      html: null,
      text: "Hello",
      headers: { "x-mailer": "Engine" },
      raw: { download_url: "https://example.com/raw?signature=1", expires_at: later }
    },
    ours("ReceivedEmails", "get", id)
  ),
  call(
    "emails.receiving.attachments.get",
    (resend) => resend.emails.receiving.attachments.get({ emailId: id, id: other }),
    { object: "attachment", ...attachment },
    ours("ReceivedEmailAttachments", "get", id, other)
  )
]

type Page =
  & { readonly limit?: number }
  & (
    | { readonly after?: string; readonly before?: never }
    | { readonly before?: string; readonly after?: never }
  )

const pages: ReadonlyArray<readonly [name: string, page: Page]> = [
  ["", {}],
  [" after an item", { limit: 2, after: id }],
  [" before an item", { limit: 100, before: id }]
]

/** A list with and without the parameters of a page. */
const list = <Item>(
  name: string,
  send: (
    resend: Resend,
    page: Page
  ) => PromiseLike<{ readonly data: { readonly data: ReadonlyArray<Item> } | null }>,
  items: ReadonlyArray<NoInfer<Item>>,
  service: string,
  filter?: Readonly<Record<string, string>>,
  differs?: (page: Page) => Difference | undefined
): ReadonlyArray<Call> =>
  pages.map(([suffix, page]) =>
    wire(
      `${name}${suffix}`,
      (resend) => send(resend, page),
      { object: "list", has_more: page.limit !== undefined, data: items },
      ours(service, "list", { ...page, ...(filter === undefined ? {} : { filter }) }),
      differs?.(page)
    )
  )

const lists: ReadonlyArray<Call> = [
  ...list("domains.list", (resend, page) => resend.domains.list(page), [domain], "Domains"),
  ...list(
    "apiKeys.list",
    (resend, page) => resend.apiKeys.list(page),
    [{ id, name: "", created_at, last_used_at: null }],
    "ApiKeys"
  ),
  ...list("broadcasts.list", (resend, page) => resend.broadcasts.list(page), [broadcast], "Broadcasts"),
  ...list("segments.list", (resend, page) => resend.segments.list(page), [segment], "Segments"),
  ...list(
    "contacts.segments.list",
    (resend, page) => resend.contacts.segments.list({ ...page, contactId: other }),
    [segment],
    "Segments",
    { contact_id: other }
  ),
  ...list("contacts.list", (resend, page) => resend.contacts.list(page), [contact], "Contacts"),
  ...list(
    "contacts.list of a segment",
    (resend, page) => resend.contacts.list({ ...page, segmentId: other }),
    [contact],
    "Contacts",
    { segment_id: other }
  ),
  ...list("emails.receiving.list", (resend, page) => resend.emails.receiving.list(page), [received], "ReceivedEmails"),
  ...list(
    "emails.receiving.attachments.list",
    (resend, page) => resend.emails.receiving.attachments.list({ ...page, emailId: other }),
    [attachment],
    "ReceivedEmailAttachments",
    { email_id: other }
  ),
  ...list("emails.list", (resend, page) => resend.emails.list(page), [sent], "Emails"),
  ...list("templates.list", (resend, page) => resend.templates.list(page), [template], "Templates"),
  // The SDK's call has no parameters.
  ...list(
    "topics.list",
    (resend) => resend.topics.list(),
    [topic],
    "Topics",
    undefined,
    ({ after, before, limit }) => ({
      reason: "the SDK cannot ask for a page of topics",
      query: {
        ...(limit === undefined ? {} : { limit: `${limit}` }),
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before })
      }
    })
  ),
  ...list(
    "emails.attachments.list",
    (resend, page) => resend.emails.attachments.list({ ...page, emailId: other }),
    [attachment],
    "EmailAttachments",
    { email_id: other }
  ),
  ...list(
    "contacts.topics.list",
    (resend, page) => resend.contacts.topics.list({ ...page, id: other }),
    [{ id, name: "News", description: null, subscription: "opt_in" }],
    "ContactTopics",
    { contact_id: other }
  ),
  ...list<unknown>(
    "contactProperties.list",
    (resend, page) => resend.contactProperties.list(page),
    [property],
    "ContactProperties"
  ),
  ...list(
    "broadcasts.recipients",
    (resend, page) => resend.broadcasts.recipients(other, { ...page, type: "clicked" }),
    [{ id: "b3BhcXVl", contact_id: null, email, count: 2, clicked_links: [{ url: "https://example.com", clicks: 2 }] }],
    "BroadcastRecipients",
    { broadcast_id: other, type: "clicked" }
  ),
  ...list(
    "broadcasts.recipients that bounced",
    (resend, page) => resend.broadcasts.recipients(other, { ...page, type: "bounced", email, bounceType: "permanent" }),
    [{ id: "b3BhcXVl", contact_id: id, email, bounce_type: "permanent" }],
    "BroadcastRecipients",
    { broadcast_id: other, type: "bounced", email, bounce_type: "permanent" }
  ),
  ...list("suppressions.list", (resend, page) => resend.suppressions.list(page), [suppression], "Suppressions"),
  ...list(
    "suppressions.list of an origin",
    (resend, page) => resend.suppressions.list({ ...page, origin: "bounce" }),
    [suppression],
    "Suppressions",
    { origin: "bounce" }
  ),
  ...list("webhooks.list", (resend, page) => resend.webhooks.list(page), [webhook], "Webhooks")
]

export const calls: ReadonlyArray<Call> = [
  ...domains,
  ...apiKeys,
  ...templates,
  ...contacts,
  ...segments,
  ...topics,
  ...broadcasts,
  ...webhooks,
  ...suppressions,
  ...contactProperties,
  ...sends,
  ...emails,
  ...lists
]

/** What the SDK can do and this package does not offer. */
export const notOffered: ReadonlyArray<string> = [
  "automations.",
  "broadcasts.clickedLinks",
  "contacts.imports.",
  "domains.claims.",
  "emails.metrics",
  "emails.receiving.forward",
  "emails.share",
  "events.",
  "inboxes.",
  "logs.",
  "oauthGrants.",
  "usage.",
  "webhooks.events.",
  "webhooks.verify"
]
