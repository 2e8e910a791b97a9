/**
 * What each error means, when it occurs, and what to do: for `mailstream explain`, and for the pages of the documentation.
 * This is data alone: it imports nothing but types.
 */
import type { UnsuitableDatabase } from "@mailstream/cluster/ClusterError"
import type { Mirror } from "@mailstream/mirror"
import type { EmailNotArrived } from "@mailstream/server/Inbox"
import type { Failure, Silent } from "../terminal/Running.ts"
import * as ApiErrors from "./ApiErrors.ts"

export type { Explanation } from "./ApiErrors.ts"

/** What a failure without a tag is called. */
export const unexpected = "UnexpectedError"

/** Errors of the library that this program turns into others, or that only other programs meet. */
type OfLibrary =
  | Mirror.SyncError["_tag"]
  | Mirror.SyncFailed["_tag"]
  | UnsuitableDatabase["_tag"]
  | "Aborted"
  | EmailNotArrived["_tag"]
  | "ClientClosed"
  | "CampaignBusy"
  | "CampaignTakenOver"
  | "CampaignPaused"
  | "UndecidedRecipients"
  | "CampaignMismatch"
  | "UnknownCampaign"
  | "CampaignStoreError"
  | "MissingHeader"
  | "InvalidTimestamp"
  | "InvalidSignature"
  | "InvalidEvent"
  | "UnreadableRequest"
  | "UnhandledEvent"
  | "DeduplicationError"

/** The tag of an error of the library or of the program. */
export type Tag = Exclude<Failure["_tag"], Silent["_tag"]> | OfLibrary | typeof unexpected

/** The explanation of every error: those of the API by the API's names, then client-side failures. */
export const all: { readonly [tag in Tag]: ApiErrors.Explanation } = {
  ...ApiErrors.explanations,
  TransportError: {
    meaning: "No complete response arrived.",
    occurs:
      "The connection could not be established (Connect), is not secure (Tls), broke (Lost), or took too long (Timeout).",
    remedy: "Check {url} and the network. For a certificate that is not trusted, add its authority with " +
      "NODE_EXTRA_CA_CERTS. If the service is only starting, use {patience}. After a change, the message says whether it was " +
      "certainly not processed, or whether nobody knows: then look before you repeat it."
  },
  UnexpectedResponse: {
    meaning: "The response is successful, but not what the API promises.",
    occurs:
      "The body is not JSON, is not text, has another shape, or is too large. Usually something between you and the " +
      "service responded: a login page, a proxy that cuts responses.",
    remedy:
      "Check {url}, and the proxies in between. If a response is too large, use {pageSize}. After a change, nobody knows " +
      "whether it was processed: look before you repeat it."
  },
  StalledWalk: {
    meaning: "The pages of a list do not advance.",
    occurs: "The service sets has_more, but sends an empty page, or pages that lead back to the start.",
    remedy:
      "This is a bug in the service. Try again; if it persists, report it to the service, with the position in the " +
      "message."
  },
  PositionLost: {
    meaning: "The list cannot be continued from where the walk was.",
    occurs:
      "The item at the position was deleted, and so were those before it, so that no cursor is left. Everything up to " +
      "the position was emitted.",
    remedy: "Start over. After {resumable}, {startOver} first."
  },
  CheckpointError: {
    meaning: "The stored position of a resumable run cannot be used.",
    occurs: "The store failed, the position is damaged, or it belongs to another list, filter or service.",
    remedy: "Run it with the same options as before. To start over, {startOver}.",
    origin: "process"
  },
  LockError: {
    meaning: "Another run uses the same stored position, or it cannot be locked.",
    occurs:
      "Two runs resume from the same position, or a process was suspended for so long that another one took over. Also if " +
      "the lock cannot be written, as without permission (EACCES) or on a full disk.",
    remedy:
      "If the message names a failure of the store, such as EACCES, make the store writable, or use another one. Otherwise: " +
      "wait until the process in the message has finished, or use another key or file. The lock of a process that was killed " +
      "is ignored, at once on the same machine and after 45 seconds elsewhere.",
    origin: "process"
  },
  SyncFailed: {
    meaning: "Some lists could not be copied. All others were.",
    occurs:
      "Mirror.sync or Mirror.poll has tried all lists, and at least one of them failed. The error holds a report for each.",
    remedy:
      "Look at the failures of the error, which name each list and its own error. The next pass continues where this one " +
      "stopped. To handle each list by itself, use Mirror.syncEither.",
    origin: "sync"
  },
  TooManyDeletions: {
    meaning: "A pass of sync would mark too many items as deleted. Nothing was marked.",
    occurs: "The service lists less than half of what the copy holds. A key of another account is the usual reason.",
    remedy:
      "Check {key}: a sync with the right key marks what the other one has added as deleted. If the items really are " +
      "gone, or a wrong key has added them to a list that was empty, raise {maxDeleted}, up to 1; workers of a cluster can be told so about one account, once.",
    origin: "pass"
  },
  UnstorableItem: {
    meaning: "Some items of a list could not be copied. All others were.",
    occurs: "The database cannot index an id that is this long.",
    remedy: "Copy this list into SQLite, which has no such limit, or leave it out with {lists}.",
    origin: "pass"
  },
  UnreadableOwners: {
    meaning: "Some segments or emails could not be read. All others were copied.",
    occurs: "The service refuses to list it, or an id cannot be requested.",
    remedy: "Read the reason in the message. Their part of the copy stays as it is; the next pass tries them again.",
    origin: "pass"
  },
  OtherService: {
    meaning: "The copy was made from another service.",
    occurs: "The base URL differs from the one that the copy was made from.",
    remedy:
      "Use the same base URL, or keep this copy apart with {account} or another database. If the service itself has moved, " +
      "set the column service in mirror_lists.",
    origin: "pass"
  },
  SqlError: {
    meaning: "The database of a copy or a campaign failed.",
    occurs:
      "A statement failed: the disk is full, the connection broke, another program held a lock for too long, or a " +
      "permission is missing.",
    remedy:
      "Read the message, which is the database's own. A pass that was stopped is continued by the next sync, and a campaign by the next run.",
    origin: "copy"
  },
  TableInUse: {
    meaning: "The database has a table of the same name that is not a copy.",
    occurs: "sync would create a table such as contacts, but another program's table has that name. It is not touched.",
    remedy: "Choose {prefix}, another database, or on PostgreSQL {schema}.",
    origin: "copy"
  },
  ConsumerMoved: {
    meaning: "Another process has already committed these changes as the same consumer.",
    occurs: "Two programs handle changes as {consumer} at the same time.",
    remedy: "Run one process per consumer, or give each its own name.",
    origin: "changes"
  },
  CampaignBusy: {
    meaning: "Another process is running the campaign. This one sent nothing.",
    occurs: "Two processes run the same campaign on the same database. The first one continues.",
    remedy: "Wait for it, or stop it. If it was killed, the next run takes over after about 23 seconds.",
    origin: "campaign"
  },
  CampaignTakenOver: {
    meaning: "Another process has taken the campaign over, and continues it.",
    occurs:
      "This process was suspended, or the database did not respond, for so long that another one took over. It has sent nothing since.",
    remedy:
      "Nothing, if the other process is meant to run. Otherwise stop it, and run the campaign again: it continues.",
    origin: "campaign"
  },
  CampaignPaused: {
    meaning: "The service does not accept the emails of the campaign at the moment.",
    occurs:
      "A quota of the service is used up, the API key may not send, the service did not respond for a long time, or the first " +
      "emails were all rejected for the same kind of reason. Nobody is lost, and nobody is written to twice.",
    remedy:
      "Read the message: it says what to mend, or when the service accepts emails again. Then run it again, and it continues. To " +
      "wait for a quota instead, use {onPause}. If the emails were rejected, mend them, {forget}, {forgetPlanned}, whose emails are stored " +
      "as they were, and run it again.",
    origin: "campaign"
  },
  CampaignMismatch: {
    meaning: "The campaign was begun in another way.",
    occurs:
      "A campaign of this name was begun at another service, with another account, for another segment, or with another choice whether " +
      "addresses or contacts are written to once.",
    remedy: "To continue it, run it as it was begun. A campaign of another name would write to everybody again.",
    origin: "campaign"
  },
  UndecidedRecipients: {
    meaning: "Nobody can tell whether some people were written to.",
    occurs:
      "A request had no response, the campaign was not continued for 23 hours, after which the service no longer recognizes the " +
      "repetition, and the emails of the account could not be looked at. Everybody else has been dealt with.",
    remedy:
      "Look at {undecided}, and for their emails at the service. Then decide: {assumeSent} if they were sent, or {resend} to write to " +
      "them again.",
    origin: "campaign"
  },
  UnknownCampaign: {
    meaning: "The database does not know a campaign of this name.",
    occurs: "The name is misspelled, or the database is another one than that of the run.",
    remedy: "Look at {campaigns}, and check the database.",
    origin: "campaign"
  },
  InvalidOption: {
    meaning: "An option is invalid.",
    occurs:
      "A number is out of range, a name is not that of a list, or an argument is missing or unknown. On the command line, it is a usage error.",
    remedy: "Read the message: it names the option and what it must be."
  },
  StoreError: {
    meaning: "The store of the service on this machine failed.",
    occurs:
      "The service cannot open, read or write its store: the file is in use or not a database, or the server is down.",
    remedy: "Check {store}. Unavailable means that it may succeed later.",
    origin: "server"
  },
  EmailNotArrived: {
    meaning: "An email that a test waits for was not sent in time.",
    occurs:
      "Inbox.waitFor, or a request to /inbox/api/wait, has found no email with this recipient and this subject until its " +
      "timeout. The message names the newest emails that did arrive.",
    remedy:
      "Compare what was waited for with what arrived: the address, the subject, which must contain the text, and the time, if " +
      "since is given. If nothing arrived at all, check that the app sends to this server and with a key of the same account, " +
      "and look at /inbox. If it only takes longer, raise the timeout. An email that is scheduled arrives when its time comes.",
    origin: "test"
  },
  ServeError: {
    meaning: "The service or a worker cannot listen at its address.",
    occurs: "The port is in use, or the address is not one of this machine.",
    remedy: "Choose {port}.",
    origin: "server"
  },
  DatabaseError: {
    meaning: "The database of a copy or a campaign cannot be used.",
    occurs:
      "It cannot be reached or opened, the credentials are wrong, a permission is missing, or it holds no copy or no campaign.",
    remedy:
      "Check --to, --database or MAILSTREAM_DATABASE_URL, and the permissions there. If there is no copy yet, make one with mailstream sync or mailstream worker; if there is no campaign yet, begin one with mailstream campaign run.",
    origin: "program"
  },
  OutputError: {
    meaning: "The output cannot be written.",
    occurs:
      "The directory does not exist, a permission is missing, the disk is full, or the file belongs to a resumable run.",
    remedy: "Read the message: it names the file and what to do.",
    origin: "program"
  },
  InputError: {
    meaning: "A file or other content cannot be read or used.",
    occurs:
      "The file does not exist, it is not UTF-8, a column is unknown or missing, --resume names another import, or the emails of a " +
      "campaign would be blank.",
    remedy:
      "Read the message: it names the file or the option, and what to do. Nothing that was imported before is lost.",
    origin: "program"
  },
  Aborted: {
    meaning: "The signal of a call that changes something was aborted.",
    occurs:
      "The signal was aborted before or during a call of @mailstream/client; its reason is the cause of the error.",
    remedy:
      "Look at its outcome. After not_processed, nothing was done. After unknown, look before you repeat it; a send can be " +
      "repeated as it is, with the idempotencyKey of the error and the same content: nothing is sent twice.",
    origin: "client"
  },
  ClientClosed: {
    meaning: "The client of @mailstream/client was closed.",
    occurs: "close() was called before or during the call; it aborts everything that is running.",
    remedy: "Close the client when everything that uses it has ended, or create a new one.",
    origin: "client"
  },
  CampaignStoreError: {
    meaning: "The database of a campaign of @mailstream/client failed.",
    occurs:
      "The file cannot be opened or written, the disk is full, or PostgreSQL cannot be reached or refused a statement.",
    remedy: "Fix what the message names, and run the campaign again: it knows what was sent, and continues.",
    origin: "client"
  },
  MissingHeader: {
    meaning: "A request to a webhook has no signature.",
    occurs:
      "The svix-id, svix-timestamp or svix-signature header is missing or empty, and so is the webhook-… header of the same " +
      "name. Either the request is not from the service, or something in between removes headers.",
    remedy:
      "Nothing, if strangers call the address. If the requests are from the service, let proxies pass these headers on. A " +
      "handler answers 400, so the event is delivered again.",
    origin: "webhook"
  },
  InvalidTimestamp: {
    meaning: "A request to a webhook was not signed just now.",
    occurs:
      "The time of the request is more than the tolerance (5 minutes) away from the time of this machine, or not a number of " +
      "seconds. So nobody can send an old request again.",
    remedy:
      "Check the clock of this machine, and that requests are verified when they arrive, not later from a queue. For a test with a " +
      "recorded request, sign it anew with {sign}.",
    origin: "webhook"
  },
  InvalidSignature: {
    meaning: "A request to a webhook is forged, or was changed on the way.",
    occurs:
      "None of its signatures belongs to its id, its time and its body under any of the secrets. Most often the secret is that of " +
      "another webhook, or the body was parsed and written again before it was verified.",
    remedy:
      "Compare the secret with the one of this webhook; while it is rotated, pass both. Verify the body byte for byte as it arrived: " +
      "{rawBody}.",
    origin: "webhook"
  },
  InvalidEvent: {
    meaning: "A request to a webhook is signed, but is not an event.",
    occurs: "The body is not UTF-8, not JSON, or not an object with a type. An unknown type is not an error.",
    remedy: "Look at the message of this id at the service. Somebody else who knows the secret may have signed it.",
    origin: "webhook"
  },
  UnreadableRequest: {
    meaning: "The handler of a webhook cannot read a request.",
    occurs:
      "The request is not a POST (405), its body is larger than maxBodySize (413), takes longer than readTimeout to arrive (408), " +
      "or ends early (400).",
    remedy: "Nothing, if strangers call the address. Otherwise raise the limit that the response names.",
    origin: "webhook"
  },
  UnhandledEvent: {
    meaning: "Your function did not handle an event of a webhook.",
    occurs:
      "It failed, died or was interrupted (500), or took longer than timeout (503). The event is not acknowledged, so the service " +
      "delivers it again.",
    remedy:
      "Read the log, which has the reason. For work that takes longer, put the event into a queue or a table of yours, and succeed " +
      "when that is done.",
    origin: "webhook"
  },
  DeduplicationError: {
    meaning: "Nobody knows whether an event of a webhook was handled.",
    occurs:
      "Another process is handling the same message (InProgress), it was delivered twice at once and the first delivery failed " +
      "(Failed), or the store that remembers messages failed (Store). The handler answers 503.",
    remedy: "Nothing for the first two: the service delivers it again. For a store, read the log, and mend the store.",
    origin: "webhook"
  },
  AccountsError: {
    meaning: "The accounts of a cluster cannot be read.",
    occurs: "The file is missing or not in the expected form, or the table cannot be read or decrypted. The " +
      "message never contains a key.",
    remedy: "Read the message: it names the source and what is wrong with it. All workers need the same accounts.",
    origin: "accounts"
  },
  UnsuitableDatabase: {
    meaning: "The database cannot hold the state of a cluster.",
    occurs: "A worker is started on SQLite, or on PostgreSQL behind a pooler that shares sessions between programs.",
    remedy: "Use PostgreSQL itself, or PgBouncer with pool_mode = session.",
    origin: "worker"
  },
  NoCluster: {
    meaning: "No worker has ever used this database.",
    occurs: "The status of a cluster is read, but no worker was ever started on this database with this prefix.",
    remedy: "Check the URL and the prefix, or start a worker first.",
    origin: "cluster"
  },
  UnknownAccount: {
    meaning: "The cluster has no account with this id.",
    occurs:
      "An account is paused, resumed, copied now, erased or looked at, and workers have never had it, or have it no more.",
    remedy: "Check the id and the prefix. Workers notice within five seconds that an account was added.",
    origin: "control"
  },
  AccountInUse: {
    meaning: "An account cannot be erased, because workers copy it.",
    occurs:
      "It is still where the workers read their accounts, or a worker was lost with it less than half a minute ago.",
    remedy:
      "Remove it from the file or the variables first. What is in the encrypted table has been removed; erase it again.",
    origin: "control"
  },
  UnexpectedError: {
    meaning: "An unexpected failure: a bug.",
    occurs: "Never in normal operation.",
    remedy: "Run it again with --log-level debug, and report what it prints. The output contains no API key.",
    origin: "program"
  }
}

export const isTag = (text: string): text is Tag => Object.hasOwn(all, text)

/** Every tag. */
export const tags: ReadonlyArray<Tag> = Object.keys(all).filter(isTag)

/** What many look for instead of a tag, in lower case without separators: statuses, codes of the system, other names. */
export const synonyms: ReadonlyMap<string, string> = new Map(([
  ["404", "not_found"],
  ["notfounderror", "not_found"],
  ["429", "rate_limit_exceeded"],
  ["ratelimit", "rate_limit_exceeded"],
  ["ratelimiterror", "rate_limit_exceeded"],
  ["500", "internal_server_error"],
  ["503", "service_unavailable"],
  ["econnrefused", "TransportError"],
  ["econnreset", "TransportError"],
  ["enotfound", "TransportError"],
  ["etimedout", "TransportError"],
  ["eaddrinuse", "ServeError"],
  ["configerror", "InvalidOption"],
  ["otherapierror", "api_error"],
  ["webhookverificationerror", "InvalidSignature"]
] satisfies ReadonlyArray<readonly [string, Tag]>).map(([word, tag]) => [word, tag.replaceAll("_", "").toLowerCase()]))
