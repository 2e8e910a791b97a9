/**
 * What to pass instead of an option that does not exist. Most of those that people try are the names of other clients, the
 * official SDK's among them, or names in the other case: `segmentId`, `per_page`, `baseURL`.
 */

/** What to say if one of the options is among those that exist. */
type Advice = readonly [known: string, advice: string]

interface Concept {
  /** What people call it, folded. */
  readonly names: ReadonlyArray<string>
  /** The first one that fits is given. */
  readonly advice: ReadonlyArray<Advice>
}

/** Without case and separators: `per_page`, `perPage` and `per-page` are one name. */
export const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

const concept = (names: string, ...advice: ReadonlyArray<Advice>): Concept => ({ names: names.split(" "), advice })

/** Every call has a signal, and nothing else has one and a retry. */
const anyCall = "onRetry"

const filters = "filter filters where query search"

const concepts: ReadonlyArray<Concept> = [
  concept(
    "segment segmentid audience audienceid",
    ["segment_id", "pass `filter: { segment_id }`"],
    ["filter.segment_id", "pass `filter: { segment_id }`"],
    ["filter.email_id", "pass `filter: { email_id }`: this list has no segments"],
    [anyCall, "this list has no segments"]
  ),
  concept(
    "email emailid receivedemail receivedemailid messageid",
    ["email_id", "pass `filter: { email_id }`"],
    ["filter.email_id", "pass `filter: { email_id }`"]
  ),
  concept(
    filters,
    [anyCall, "this list cannot be filtered"]
  ),
  concept(
    "limit perpage pagesize first count size batchsize maxresults top",
    ["requests", "pass `requests`"],
    ["limit", "pass `limit`, the number of items"],
    ["take", "pass `pageSize` for the items of a page, or `take` for the number of items"],
    ["pageSize", "pass `pageSize` for the items of a page"],
    ["progress", "`items` and `pages` have `pageSize`, and `take` for the number of items"]
  ),
  concept(
    "take total max maxitems n",
    ["take", "pass `take`"],
    ["limit", "pass `limit`, the number of items"],
    ["cap", "pass `cap`, in milliseconds"],
    ["maxPause", "pass `maxPause`, in milliseconds"],
    ["progress", "for a `take`, use `items`"]
  ),
  concept(
    "after startingafter startafter start cursor nextcursor nexttoken pagetoken",
    ["after", "pass `after`, with the id of an item"],
    ["from", "pass `from: after(id)`, or the `next` of a page"],
    ["since", "pass `since`, with the id of an item"],
    ["progress", "`items` and `pages` have `from: after(id)`"]
  ),
  concept(
    "before endingbefore endbefore until",
    ["before", "pass `before`, with the id of an item"],
    ["from", "pass `from: before(id)`"],
    ["progress", "`items` and `pages` have `from: before(id)`"]
  ),
  concept(
    "from since position page offset skip",
    ["after", "pass `after` or `before`, with the id of an item"],
    ["from", "pass `from`: `after(id)`, `before(id)`, or the `next` of a page"],
    ["since", "pass `since`, with the id of an item"],
    ["progress", "`items` and `pages` have `from: after(id)`"]
  ),
  concept(
    "key idempotency idempotent idempotenttoken idempotencytoken requestid dedupekey deduplicationid messageid",
    ["idempotencyKey", "pass `idempotencyKey`"]
  ),
  concept("headers header", ["idempotencyKey", "pass `idempotencyKey`, or `headers` in the email"]),
  concept(
    "batchvalidation xbatchvalidation mode strict permissive",
    ["validation", "pass `validation`: \"strict\" or \"permissive\""]
  ),
  concept(
    "apikey key token apitoken accesstoken bearer auth authorization secret",
    ["apiKey", "pass `apiKey`"],
    ["timeout", "the key is that of MAILSTREAM_API_KEY. For another one, use `new Mailstream({ apiKey, baseUrl })`"],
    [anyCall, "pass `apiKey` to `new Mailstream`"]
  ),
  concept(
    "baseurl url apiurl endpoint host hostname server origin uri",
    ["baseUrl", "pass `baseUrl`"],
    [
      "timeout",
      "the address is that of MAILSTREAM_BASE_URL. For another one, use `new Mailstream({ apiKey, baseUrl })`"
    ],
    [anyCall, "pass `baseUrl` to `new Mailstream`"]
  ),
  concept(
    "timeout timeoutms requesttimeout deadline",
    ["timeout", "pass `timeout`, in milliseconds"],
    ["signal", "pass `signal: AbortSignal.timeout(ms)`, or `timeout` to `new Mailstream`"]
  ),
  concept(
    "retry retries maxretries numretries retrycount attempts maxattempts retrypolicy retryoptions backoff",
    ["times", "pass `times`, the number of retries"],
    ["retry", "pass `retry: { times, base, cap }`"]
  ),
  concept(
    "delay delayms initialdelay mindelay mintimeout minwait interval intervalms pollinterval every window duration period",
    ["base", "pass `base`, in milliseconds"],
    ["per", "pass `per`, in milliseconds"],
    ["poll", "pass `poll`, in milliseconds"]
  ),
  concept(
    "maxdelay maxtimeout maxwait maxinterval",
    ["cap", "pass `cap`, in milliseconds"],
    ["maxPause", "pass `maxPause`, in milliseconds"]
  ),
  concept(
    "rate rps requestspersecond persecond throttle ratelimiter ratelimit",
    ["requests", "pass `requests`"],
    ["rateLimit", "pass `rateLimit: { requests: 2, per: 1000 }`, which is two a second"],
    [anyCall, "pass `rateLimit` to `new Mailstream`"]
  ),
  concept("abort abortsignal abortcontroller controller cancel canceltoken", ["signal", "pass `signal`"]),
  concept("parallel parallelism concurrent maxconcurrency workers threads", ["concurrency", "pass `concurrency`"]),
  concept("ahead readahead lookahead buffer", ["prefetch", "pass `prefetch`, the number of pages"]),
  concept(
    "log logs logging loglevel debug verbose console logger",
    ["logger", "pass `logger`"],
    [anyCall, "pass `logger` to `new Mailstream`"]
  ),
  concept(
    "storage directory dir file path folder checkpoint state cache db",
    ["store", "pass `store: fileStore(directory)`"]
  ),
  concept(
    "agent httpagent httpsagent proxy proxyagent dispatcher",
    ["dispatcher", "pass `dispatcher: new ProxyAgent(\"http://…\")`"],
    ["transport", "pass `transport: undici({ dispatcher })`"]
  ),
  concept("httpclient fetcher fetchimpl customfetch", ["fetch", "pass `fetch`"])
]

/** The same for the fields of what is sent. */
const fieldConcepts: ReadonlyArray<Concept> = [
  concept(
    "subscription default optin optout status",
    ["default_subscription", "pass `default_subscription`"],
    ["subscription", "pass `subscription`: \"opt_in\" or \"opt_out\""],
    ["status", "pass `status`"]
  ),
  concept("title label", ["name", "pass `name`"], ["subject", "pass `subject`"]),
  concept("public private ispublic isprivate", ["visibility", "pass `visibility`: \"public\" or \"private\""]),
  concept("audience audienceid segment", ["segment_id", "pass `segment_id`"], [
    "segments",
    "pass `segments: [{ id }]`"
  ]),
  concept("segmentid segmentids audiences", ["segments", "pass `segments: [{ id }]`"]),
  concept("mail address emailaddress", ["email", "pass `email`"], ["emails", "pass `emails`"], ["from", "pass `from`"]),
  concept("email emails address addresses", ["emails", "pass `emails`, an array"]),
  concept("id ids", ["ids", "pass `ids`, an array"]),
  concept("data attributes customfields metadata fields", ["properties", "pass `properties`"]),
  concept("given givenname", ["first_name", "pass `first_name`"]),
  concept("surname familyname", ["last_name", "pass `last_name`"]),
  concept("subscribed", ["unsubscribed", "pass `unsubscribed`"]),
  concept("body content message react", ["html", "pass `html`"]),
  concept("sender", ["from", "pass `from`"]),
  concept("recipient recipients receiver", ["to", "pass `to`"]),
  concept("file files attachment", ["attachments", "pass `attachments`"]),
  concept("topic", ["topic_id", "pass `topic_id`"], ["topics", "pass `topics: [{ id, subscription }]`"]),
  concept("sendat schedule scheduled schedulefor scheduledfor at date when", ["scheduled_at", "pass `scheduled_at`"]),
  concept("url uri href callback target", ["endpoint", "pass `endpoint`"]),
  concept("event eventtypes types", ["events", "pass `events`"]),
  concept("enabled disabled active", ["status", "pass `status`: \"enabled\" or \"disabled\""]),
  concept("scope scopes role access permissions", ["permission", "pass `permission`"]),
  concept("domain", ["domain_id", "pass `domain_id`"], ["name", "pass `name`"]),
  concept("fallback default defaultvalue", ["fallback_value", "pass `fallback_value`"]),
  concept("slug handle", ["alias", "pass `alias`"])
]

/** How many letters must be added, removed or replaced to get from one text to the other. */
export const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

/** A name that is a slip of the pen away. Long names are not compared: nobody types them. */
const nearest = (folded: string, known: ReadonlyArray<string>): string | undefined => {
  if (folded.length < 3 || folded.length > 40) return undefined
  const distances = known.map((name) => [distance(folded, fold(name)), name] as const)
  const [best] = distances.filter(([count]) => count <= 2 && count < folded.length / 2).sort(([a], [b]) => a - b)
  return best?.[1]
}

/** What the concepts say about a name. */
const advised = (
  concepts: ReadonlyArray<Concept>,
  folded: string,
  known: ReadonlyArray<string>
): string | undefined => {
  for (const { advice, names } of concepts) {
    const [_, text] = names.includes(folded) ? advice.find(([option]) => known.includes(option)) ?? [] : []
    if (text !== undefined) return text
  }
  return undefined
}

const nearby = (folded: string, options: ReadonlyArray<string>): string => {
  const near = nearest(folded, options)
  return near === undefined ? `the options are ${options.join(", ")}` : `pass \`${near}\``
}

/** The field of a filter that a name means, with or without `_id`. */
const filterField = (folded: string, fields: ReadonlyArray<string>): string | undefined =>
  fields.find((field) => fold(field) === folded || (field.endsWith("_id") && fold(field.slice(0, -3)) === folded))

/** What to do about a name that is not among the known ones: names of options, and `filter.segment_id`. */
export const suggest = (name: string, known: ReadonlyArray<string>): string => {
  const folded = fold(name)
  const options = known.filter((option) => !option.includes("."))
  const nested = known.flatMap((option) => option.startsWith("filter.") ? [option.slice("filter.".length)] : [])
  // An option is never called by an id, but the only field of a filter is.
  const same = options.find((option) => fold(option) === folded && !option.endsWith("_id"))
  if (same !== undefined) return `pass \`${same}\``
  if (nested.length > 0 && filters.split(" ").includes(folded)) return `pass \`filter: { ${nested.join(", ")} }\``
  const field = filterField(folded, [...options.filter((option) => option.endsWith("_id")), ...nested])
  if (field !== undefined) return `pass \`filter: { ${field} }\``
  return advised(concepts, folded, known) ?? nearby(folded, options)
}

/** What to do about a field that does not exist, of an object that is sent. */
export const suggestField = (name: string, known: ReadonlyArray<string>): string => {
  const folded = fold(name)
  const same = known.find((field) => fold(field) === folded)
  return same === undefined ? advised(fieldConcepts, folded, known) ?? nearby(folded, known) : `pass \`${same}\``
}
