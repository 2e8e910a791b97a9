/**
 * The ways to use Mailstream, where each error is met, and what the same thing is called in each of them. This is data alone:
 * it imports nothing.
 */

/** The ways to use Mailstream, by their names. */
export const names = {
  effect3: "Effect 3",
  plain: "Plain TypeScript",
  effect4: "Effect 4",
  cli: "Command line"
} as const

export type Door = keyof typeof names

/** Where an error comes from, and the doors to it. */
export const origins = {
  /** Any request or walk. */
  list: ["effect3", "plain", "effect4", "cli"],
  /** Work that keeps its position. */
  process: ["effect3", "plain", "effect4", "cli"],
  /** A pass of the mirror over a list. */
  pass: ["effect3", "cli"],
  /** All passes together. */
  sync: ["effect3", "cli"],
  /** The tables of the mirror. */
  copy: ["effect3", "cli"],
  /** A consumer of its changes. */
  changes: ["effect3", "cli"],
  /** A run of a campaign, or a look at it. */
  campaign: ["effect3", "plain", "cli"],
  /** The accounts of a cluster. */
  accounts: ["effect3", "cli"],
  /** The start of a worker. The program refuses such a database by itself. */
  worker: ["effect3"],
  /** The status of a cluster. */
  cluster: ["effect3", "cli"],
  /** What is done with one account of a cluster. */
  control: ["effect3", "cli"],
  /** The service on this machine. */
  server: ["effect3", "cli"],
  /** Requests of the service to a webhook. */
  webhook: ["effect3", "plain"],
  /** Tests against the service on this machine. */
  test: ["effect3"],
  /** The client without Effect. */
  client: ["plain"],
  /** The program alone. */
  program: ["cli"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Door>>>

export type Origin = keyof typeof origins

/** What `{word}` stands for differs from door to door. */
export interface Explanation {
  /** One sentence. */
  readonly meaning: string
  /** When it occurs. */
  readonly occurs: string
  /** What to do about it. */
  readonly remedy: string
  /** Where it comes from: any list, unless said otherwise. */
  readonly origin?: Origin | undefined
}

interface Word extends Partial<Readonly<Record<Door, string>>> {
  /** What it is called wherever it has no name of its own. */
  readonly name: string
}

/** The same option in both Effects, and its variable. */
const option = (name: string, option: string, variable: string) => {
  const layers = `\`${option}\` of \`Mailstream.layer\`, or \`${variable}\` for \`layerConfig\``
  return {
    name,
    effect3: layers,
    plain: `\`${option}\` of \`new Mailstream\`, or \`${variable}\` for \`fromEnv\``,
    effect4: layers,
    cli: `\`${variable}\``
  } as const
}

/** What texts mention in braces, as in `{patience}`. */
const words = {
  key: option("the API key", "apiKey", "MAILSTREAM_API_KEY"),
  url: option("the base URL", "baseUrl", "MAILSTREAM_BASE_URL"),
  patience: {
    name: "a patient retry policy",
    effect3: "`retry: RetryPolicy.patient`",
    plain: "`retry: \"patient\"`",
    effect4: "`retry: RetryPolicy.patient`",
    cli: "`--retry patient`"
  },
  cursor: {
    name: "a cursor",
    effect3: "`from: Position.after(id)` or `Position.before(id)`",
    plain: "`from: after(id)` or `before(id)`",
    effect4: "`from: Position.after(id)` or `Position.before(id)`",
    cli: "`--after` or `--before`"
  },
  pageSize: {
    name: "a smaller page size",
    effect3: "`pageSize: 20`",
    plain: "`pageSize: 20`",
    effect4: "`pageSize: 20`",
    cli: "`--page-size 20`"
  },
  resumable: {
    name: "a resumable run",
    effect3: "`contacts.process(key, handle)`",
    plain: "`contacts.process(key, handle, { store })`",
    effect4: "`contacts.process(key, handle)`",
    cli: "`--resume`"
  },
  startOver: {
    name: "remove the stored position",
    effect3: "`Checkpoint.clear(key)`",
    plain: "`clearCheckpoint(key, { store })`",
    effect4: "`Checkpoint.clear(key)`",
    cli: "remove the file and its `.mailstream-resume` file"
  },
  maxDeleted: { name: "the limit of deletions", effect3: "`maxDeleted` of `mirror.sync`", cli: "`--max-deleted`" },
  lists: { name: "the choice of lists", effect3: "`lists` of `mirror.sync`", cli: "`--lists`" },
  account: { name: "another account", effect3: "`account` of `Mirror.layer`", cli: "another `--account`" },
  prefix: { name: "a prefix", effect3: "`prefix` of `Mirror.layer`", cli: "a `--prefix`" },
  schema: { name: "a schema", effect3: "`schema` of `Mirror.layer`", cli: "a `--schema`" },
  consumer: {
    name: "the same consumer",
    effect3: "`\"crm\"` in `mirror.process(contacts, \"crm\", handle)`",
    cli: "the same `--consumer`"
  },
  forget: {
    name: "forget those who were rejected",
    effect3: "`Campaign.forget(name, \"rejected\")`",
    plain: "`campaign.forget(\"rejected\")`",
    cli: "`mailstream campaign forget NAME --state rejected`"
  },
  forgetPlanned: {
    name: "forget those who are planned",
    effect3: "`Campaign.forget(name, \"planned\")`",
    plain: "`campaign.forget(\"planned\")`",
    cli: "`mailstream campaign forget NAME --state planned`"
  },
  undecided: {
    name: "the list of those who are undecided",
    effect3: "`Campaign.recipients(name, { state: \"undecided\" })`",
    plain: "`campaign.recipients({ state: \"undecided\" })`",
    cli: "`mailstream campaign recipients NAME --state undecided`"
  },
  assumeSent: {
    name: "the decision that they were written to",
    effect3: "`Campaign.resolve(name, \"assumeSent\")`",
    plain: "`campaign.resolve(\"assumeSent\")`",
    cli: "`mailstream campaign resolve NAME --assume-sent`"
  },
  resend: {
    name: "the decision to write to them again",
    effect3: "`Campaign.resolve(name, \"resend\")`",
    plain: "`campaign.resolve(\"resend\")`",
    cli: "`mailstream campaign resolve NAME --resend`"
  },
  onPause: {
    name: "waiting for a quota",
    effect3: "`onPause: \"wait\"`",
    plain: "`onPause: \"wait\"`",
    cli: "`--wait`"
  },
  campaigns: { name: "the list of campaigns", effect3: "`Campaign.list`", cli: "`mailstream campaign list`" },
  sign: { name: "the secret", effect3: "`Webhook.sign`" },
  rawBody: {
    name: "the text or the bytes, not what was parsed",
    effect3: "`request.text` of `HttpServerRequest`, or leave it to `WebhookHandler`",
    plain: "`await request.text()`, or `express.raw({ type: \"application/json\" })`, or leave it to `handler`"
  },
  store: { name: "its store", effect3: "the layer of `SqlStore`", cli: "`--store`" },
  port: {
    name: "another address",
    effect3: "`port` and `host` of `Server.layer` or `Health.layer` (port 0 for a free one)",
    cli: "another `--port` (for `serve`, 0 for a free one), `--health-port` or `--host`"
  }
} as const satisfies Readonly<Record<string, Word>>

const isWord = (text: string): text is keyof typeof words => Object.hasOwn(words, text)

/** The words in a text. Throws on one that is not known. */
const wordsIn = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    if (!isWord(name)) throw new Error(`There is no word for {${name}}.`)
    return words[name]
  })

/** A text in the words of the command line, or in those of all doors. */
export const say = (text: string, how: "cli" | "name"): string =>
  wordsIn(text).reduce((said, word) => said.replace(/\{\w+\}/, () => word[how] ?? word.name), text)

/** The doors at which an error is met. */
export const of = ({ origin = "list" }: Explanation): ReadonlyArray<Door> => origins[origin]

/** What an explanation mentions, and what that is at a door. */
export const namesIn = (
  { occurs, remedy }: Explanation,
  door: Door
): ReadonlyArray<readonly [name: string, here: string]> =>
  [...new Set(wordsIn(`${occurs} ${remedy}`))].flatMap((word) => {
    const here = word[door]
    return here === undefined ? [] : [[word.name, here] as const]
  })
