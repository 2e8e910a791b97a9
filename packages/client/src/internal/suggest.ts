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
    "filter filters where query search",
    ["filter.segment_id", "pass `filter: { segment_id }`"],
    ["filter.email_id", "pass `filter: { email_id }`"],
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
  concept("httpclient fetcher fetchimpl customfetch", ["fetch", "pass `fetch`"]),
  concept("subscription default optin optout", ["default_subscription", "pass `default_subscription`"]),
  concept("title label", ["name", "pass `name`"]),
  concept("public private ispublic isprivate", ["visibility", "pass `visibility`: \"public\" or \"private\""])
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

/** What to do about a name that is not among the known ones: names of options, and `filter.segment_id`. */
export const suggest = (name: string, known: ReadonlyArray<string>): string => {
  const folded = fold(name)
  const options = known.filter((option) => !option.includes("."))
  const same = options.find((option) => fold(option) === folded)
  if (same !== undefined && !same.endsWith("_id")) return `pass \`${same}\``
  const advice = concepts.find(({ names }) => names.includes(folded))?.advice.find(([option]) => known.includes(option))
  if (advice !== undefined) return advice[1]
  const near = nearest(folded, options)
  return near === undefined ? `the options are ${options.join(", ")}` : `pass \`${near}\``
}
