/**
 * Campaigns: writing to everybody in a list, each at most once. Their stores are in `@mailstream/client/campaign`.
 *
 * @since 1.0.0
 */
import type { CallOptions, Cancelable, Conflict, Retried } from "./List.ts"
import type { SendEmail } from "./Objects.ts"
import type { Walk } from "./Walk.ts"

/**
 * Where campaigns are kept: made by `sqlite()` or `postgres()` of `@mailstream/client/campaign`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CampaignStore {
  readonly name: string
}

/**
 * The decision not to write to somebody, made by `skip()` of `@mailstream/client/campaign`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Skip {
  readonly _tag: "Skip"
  readonly reason: string
}

/**
 * What a campaign does with somebody: the email to send, or `skip("reason")`.
 *
 * @since 1.0.0
 * @category models
 */
export type CampaignMessage = SendEmail | Skip

/**
 * Somebody whom a campaign may write to. The `id` is what tells people apart, in every run.
 *
 * @since 1.0.0
 * @category models
 */
export interface Identified {
  readonly id: string
}

/**
 * Everybody whom a campaign may write to: a walk of the client, as `mailstream.contacts.items()`, an array or anything else that can
 * be iterated again and again, or a function that returns what to iterate. A run that continues reads it again and leaves out those
 * whom it knows; a walk continues where it was.
 *
 * @since 1.0.0
 * @category models
 */
export type Audience<Item> =
  | (People<Item> & Repeatable)
  | (() => People<Item> | PromiseLike<People<Item>>)

/**
 * @since 1.0.0
 * @category models
 */
export type People<Item> = Iterable<Item> | AsyncIterable<Item>

/**
 * What can be iterated only once, such as a generator or a stream, is refused by the compiler.
 *
 * @since 1.0.0
 * @category models
 */
export interface Repeatable {
  readonly next?: Conflict<"it can be read only once: pass a function, as in `audience: () => people()`"> | undefined
  readonly pipe?: Conflict<"it can be read only once: pass a function, as in `audience: () => people()`"> | undefined
  readonly getReader?:
    | Conflict<"it can be read only once: pass a function, as in `audience: () => people()`">
    | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface CampaignOptions<Item> {
  /** Where the campaign is kept: `sqlite("campaign.db")` or `postgres("postgres://…")` of `@mailstream/client/campaign`. */
  readonly store: CampaignStore
  readonly audience: Audience<Item>
  /**
   * The email for somebody, or `skip("reason")`. It is called once for each; only for those who were not stored when a run ended, it
   * is called again by the next one. What it returns is stored before it is sent, and does not change any more. What it throws ends
   * the run, which is rejected with it; the next run continues there.
   */
  readonly message: (
    item: Item,
    context: { readonly signal: AbortSignal }
  ) => CampaignMessage | PromiseLike<CampaignMessage>
  /** Whether two people with the same address get one email each, or one between them; default: `contact`. */
  readonly once?: "contact" | "address" | undefined
  /**
   * Who the audience is, in your words, such as the id of a segment. It is stored when the campaign begins, and a run with another one
   * is refused: by mistake, it would write to other people.
   */
  readonly scope?: string | undefined
}

/**
 * A campaign. Its name is used once: whatever is run under the same name, in the same store, continues the same campaign.
 *
 * @since 1.0.0
 * @category models
 */
export interface Campaign {
  readonly name: string
  /**
   * Writes to everybody in the audience, from where the last run stopped. When the promise is resolved, everybody is accepted,
   * rejected, skipped or, with `onUndecided: "report"`, undecided. It can be killed or aborted at any time: run it again, and it
   * continues. Two that run at the same time do no harm: one of them is rejected with `CampaignBusy`.
   */
  readonly run: (options?: CampaignRunOptions) => Promise<CampaignStatus>
  /** How far it is. Rejected with `UnknownCampaign` before its first run. */
  readonly status: (options?: Cancelable) => Promise<CampaignStatus>
  /** What became of each person, in the order of their ids: all of them, or those in one state. */
  readonly recipients: (options?: RecipientOptions) => Walk<CampaignRecipient>
  /**
   * Asks the service what became of the accepted emails, and stores it with each recipient (`lastEvent`). Resolves to how many there are of
   * each: `{ delivered: 97, bounced: 2, complained: 1 }`; `unknown` are those that the service does not list. Accepted is not delivered: ask
   * an hour or a day later.
   */
  readonly deliveries: (options?: CallOptions) => Promise<Readonly<Record<string, number>>>
  /**
   * Decides about people if nobody can tell whether they were written to: they were (`assumeSent`), or they are written to again
   * by the next run (`resend`), and may then have got two emails. Resolves to how many people that was about.
   */
  readonly resolve: (decision: "assumeSent" | "resend", options?: ResolveOptions) => Promise<number>
  /**
   * Forgets people who certainly were not written to, so that the next run considers them again, with the message of then: those who
   * were rejected or skipped, or whose email is planned and has not been attempted. Resolves to how many people that was about.
   */
  readonly forget: (state: "rejected" | "skipped" | "planned", options?: LeaseOptions) => Promise<number>
}

/**
 * @since 1.0.0
 * @category options
 */
export interface LeaseOptions extends Cancelable {
  /**
   * For how long a process holds the campaign without a sign of life, in milliseconds; default: 15,000. If it is killed, the next one takes
   * over after watching for 1.5 times as long.
   */
  readonly lease?: number | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface CampaignRunOptions extends LeaseOptions, Retried {
  /** How many requests are in flight at most; default: 2. All of them are subject to the rate limit of the client. */
  readonly concurrency?: number | undefined
  /** The most emails in a request; default, and at most: 100. */
  readonly batchSize?: number | undefined
  /** Whether a used-up quota ends the run (`fail`), or the run waits for it to end; default: `fail`. */
  readonly onPause?: "fail" | "wait" | undefined
  /** Whether the run fails in the end if nobody can tell about somebody; default: `fail`. Everybody else is written to before. */
  readonly onUndecided?: "fail" | "report" | undefined
  /**
   * Reads the audience again if an earlier run came to its end, to write to those who are new; default: false. Nobody who has been
   * written to, rejected or skipped is considered again.
   */
  readonly again?: boolean | undefined
  /**
   * How long to wait for requests that may still be under way, before doubtful emails are looked for, in milliseconds; default:
   * 300,000.
   */
  readonly settle?: number | undefined
  /**
   * Called when the counts have changed, at most once a second, and at the end. If it returns a promise, it is waited for; what it throws
   * ends the run, which is rejected with it.
   */
  readonly progress?: ((status: CampaignStatus) => unknown) | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface RecipientOptions extends Cancelable {
  readonly state?: RecipientState | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface ResolveOptions extends LeaseOptions {
  /** The ids of those to decide about; default: all who are undecided. */
  readonly ids?: ReadonlyArray<string> | undefined
}

/**
 * - `planned`: the email is stored, and will be sent.
 * - `accepted`: the service accepted the email.
 * - `rejected`: the service, or a check before it was sent, refused the email. It was not sent.
 * - `skipped`: the campaign decided not to write to them.
 * - `undecided`: nobody can tell whether the email was sent.
 *
 * @since 1.0.0
 * @category models
 */
export type RecipientState = "planned" | "accepted" | "rejected" | "skipped" | "undecided"

/**
 * What became of one person.
 *
 * @since 1.0.0
 * @category models
 */
export interface CampaignRecipient {
  /** The id of the item in the audience. */
  readonly id: string
  /** Where the email goes, in lower case. If it was skipped: the `email` of the item, or empty. */
  readonly address: string
  readonly state: RecipientState
  /** The id of the accepted email; undefined if that is not known (`assumeSent`). */
  readonly emailId: string | undefined
  /** Why it was rejected or skipped, or why nobody can tell. */
  readonly reason: string | undefined
  readonly changedAt: Date
  /** What the service last said about the email: `delivered`, `bounced`. Undefined until `deliveries` has asked. */
  readonly lastEvent: string | undefined
}

/**
 * How far a campaign is: how many people are in each state, and more.
 *
 * @since 1.0.0
 * @category models
 */
export interface CampaignStatus extends Readonly<Record<RecipientState, number>> {
  readonly campaign: string
  readonly createdAt: Date
  /** When the last run began. */
  readonly startedAt: Date
  /** When everybody in the audience was dealt with; undefined if that is not the case yet. */
  readonly endedAt: Date | undefined
  /** Whether a process is running it, or was killed while it did. */
  readonly isRunning: boolean
  /** Why it is paused, if it is. */
  readonly paused: string | undefined
  readonly pausedUntil: Date | undefined
}
