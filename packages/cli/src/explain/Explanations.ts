/**
 * What each error means, when it occurs, and what to do: for `mailstream explain`, and for the pages of the documentation.
 * This is data alone: it imports nothing but types.
 *
 * @since 1.0.0
 */
import type { AccountsError, NoCluster, UnsuitableDatabase } from "@mailstream/cluster/ClusterError"
import type { InvalidOption, RequestError } from "@mailstream/core"
import type { ConsumerMoved, Mirror, TableInUse } from "@mailstream/mirror"
import type { StoreError } from "@mailstream/server"
import type { Commit, ListError } from "@mailstream/stream"
import type { DatabaseError } from "../mirror/Database.ts"
import type { ServeError } from "../service/ServeError.ts"
import type { OutputError } from "../terminal/OutputError.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Explanation {
  /** One sentence. */
  readonly meaning: string
  /** When it occurs. */
  readonly occurs: string
  /** What to do about it. */
  readonly remedy: string
}

/**
 * What a failure without a tag is called.
 *
 * @since 1.0.0
 * @category constants
 */
export const unexpected = "UnexpectedError"

/** Errors of `@mailstream/client` and `@mailstream/effect4` only, which this program does not use. */
type OfClient = "ClientClosed"

/**
 * The tag of an error of the library or of the program.
 *
 * @since 1.0.0
 * @category models
 */
export type Tag =
  | RequestError["_tag"]
  | ListError["_tag"]
  | Commit.CommitError["_tag"]
  | Mirror.SyncError["_tag"]
  | Mirror.SyncFailed["_tag"]
  | TableInUse["_tag"]
  | ConsumerMoved["_tag"]
  | InvalidOption["_tag"]
  | AccountsError["_tag"]
  | NoCluster["_tag"]
  | UnsuitableDatabase["_tag"]
  | StoreError["_tag"]
  | DatabaseError["_tag"]
  | ServeError["_tag"]
  | OutputError["_tag"]
  | OfClient
  | typeof unexpected

/**
 * The explanation of every error: those of the API by the API's names, then client-side failures.
 *
 * @since 1.0.0
 * @category data
 */
export const all: { readonly [tag in Tag]: Explanation } = {
  validation_error: {
    meaning: "Something in the request is invalid.",
    occurs:
      "A cursor (--after, --before) is not an id, a limit is not between 1 and 100, or a field of a new topic is too " +
      "long. Some services also respond with it to a wrong API key. Sent with status 400, 403 or 422; input that can be " +
      "checked locally fails with the same error, without a request.",
    remedy:
      "Read the message: it names what is invalid. The same request fails again until it is changed, so it is not " +
      "retried. If the message is about the API key, check MAILSTREAM_API_KEY."
  },
  missing_api_key: {
    meaning: "The request had no API key.",
    occurs: "The service did not see an Authorization header, with status 401. A proxy in between may have removed it.",
    remedy: "Set MAILSTREAM_API_KEY. If it is set, check the proxies between you and the service."
  },
  invalid_api_key: {
    meaning: "The service does not know the API key.",
    occurs: "The key has a typo, was deleted, or belongs to another service than the base URL names.",
    remedy: "Check MAILSTREAM_API_KEY and MAILSTREAM_BASE_URL; create a new key if the old one is gone."
  },
  restricted_api_key: {
    meaning: "The API key may not do this.",
    occurs: "The key was created with limited permissions, for example only for sending.",
    remedy: "Use a key with full access, or request only what the key allows."
  },
  suspended_api_key: {
    meaning: "The API key is suspended.",
    occurs: "The service has blocked the key or its account.",
    remedy: "Ask the service why, or use another key."
  },
  invalid_permission: {
    meaning: "The account may not do this.",
    occurs: "The account lacks a permission or a feature that the request needs.",
    remedy: "Ask the owner of the account for the permission."
  },
  not_found: {
    meaning: "The object or the path does not exist.",
    occurs:
      "An id belongs to something that was deleted, or to another account; a cursor (--after, --before) references " +
      "an item that does not exist; or the base URL has a wrong path.",
    remedy: "Check the id. If every request fails like this, check the path in MAILSTREAM_BASE_URL."
  },
  method_not_allowed: {
    meaning: "The path exists, but not for this method.",
    occurs: "The base URL leads to another service, or something in between rewrites requests.",
    remedy: "Check MAILSTREAM_BASE_URL."
  },
  resource_locked: {
    meaning: "The object is locked by another operation.",
    occurs: "Another client is changing the same object.",
    remedy: "Run the command again a little later."
  },
  invalid_parameter: {
    meaning: "A parameter has an invalid value.",
    occurs: "The service rejects a value in the query or in the body, with status 422.",
    remedy: "Read the message: it names the parameter. The same request fails again until it is changed."
  },
  missing_required_field: {
    meaning: "A field of the body is missing.",
    occurs: "Something was created without a field that it needs, with status 422.",
    remedy: "Read the message: it names the field."
  },
  missing_required_parameter: {
    meaning: "A parameter is missing.",
    occurs: "The service needs a parameter that the request does not have, with status 422.",
    remedy: "Read the message: it names the parameter."
  },
  rate_limit_exceeded: {
    meaning: "There were too many requests in a short time.",
    occurs:
      "More requests per second than the account may send. Requests are retried as the service asks; this error " +
      "remains when the retries are used up, or when it asks for too long a wait.",
    remedy: "Wait, or give more time with --retry patient. If several programs share the key, run fewer at once."
  },
  daily_quota_exceeded: {
    meaning: "The daily quota is used up.",
    occurs: "The account has sent as many requests or emails as it may in a day. It is not retried.",
    remedy: "Continue tomorrow (--resume keeps the position of an export), or raise the quota."
  },
  monthly_quota_exceeded: {
    meaning: "The monthly quota is used up.",
    occurs: "The account has sent as many requests or emails as it may in a month. It is not retried.",
    remedy: "Raise the quota, or continue next month."
  },
  application_error: {
    meaning: "The service failed.",
    occurs: "Something went wrong inside the service, and still did after several attempts.",
    remedy: "Run the command again later, or give it more time with --retry patient."
  },
  internal_server_error: {
    meaning: "The service failed.",
    occurs: "Something went wrong inside the service, and still did after several attempts.",
    remedy: "Run the command again later, or give it more time with --retry patient."
  },
  service_unavailable: {
    meaning: "The service is temporarily unavailable.",
    occurs: "It is overloaded or being maintained, and still was after several attempts.",
    remedy: "Run the command again later, or give it more time with --retry patient."
  },
  api_error: {
    meaning: "The service, or something in front of it, responded with another error.",
    occurs:
      "The response has an error status, but no name that this version knows: often the HTML page of a proxy, or an " +
      "empty body. The message says what was requested and what was found.",
    remedy:
      "Check MAILSTREAM_BASE_URL and the proxies in between. A status of 500 or more may be temporary: run it again later."
  },
  TransportError: {
    meaning: "No complete response arrived.",
    occurs:
      "The connection could not be established (Connect), is not secure (Tls), broke (Lost), or took too long (Timeout).",
    remedy:
      "Check MAILSTREAM_BASE_URL and the network. For a certificate that is not trusted, add its authority with " +
      "NODE_EXTRA_CA_CERTS. If the service is only starting, use --retry patient."
  },
  UnexpectedResponse: {
    meaning: "The response is successful, but not what the API promises.",
    occurs:
      "The body is not JSON, is not text, has another shape, or is too large. Usually something between you and the " +
      "service responded: a login page, a proxy that cuts responses.",
    remedy:
      "Check MAILSTREAM_BASE_URL, and the proxies in between. If a response is too large, use a smaller --page-size."
  },
  StalledWalk: {
    meaning: "The pages of a list do not advance.",
    occurs: "The service sets has_more, but sends an empty page, or pages that lead back to the start.",
    remedy:
      "This is a bug in the service. Run it again; if it persists, report it to the service, with the position in the " +
      "message."
  },
  PositionLost: {
    meaning: "The list cannot be continued from where the walk was.",
    occurs:
      "The item at the position was deleted, and so were those before it, so that no cursor is left. Everything up to " +
      "the position was written.",
    remedy: "Start over: remove the file and its .mailstream-resume file. The library can keep more fallbacks."
  },
  CheckpointError: {
    meaning: "The stored position of a resumable run cannot be used.",
    occurs: "The store failed, the position is damaged, or it belongs to another list, filter or service.",
    remedy: "Run it with the same options as before. To start over, remove the file and its .mailstream-resume file."
  },
  LockError: {
    meaning: "Another process uses the same file or position.",
    occurs: "Two runs resume the same file, or a process was suspended for so long that another one took over.",
    remedy:
      "Wait until the process in the message has finished, or use another file. The lock of a process that was killed " +
      "on this machine is ignored."
  },
  SyncFailed: {
    meaning: "Some lists could not be copied. All others were.",
    occurs:
      "`sync` or `poll` of the mirror has tried all lists, and at least one of them failed. The error holds a report for each.",
    remedy:
      "Look at the failures of the error, which name each list and its own error. The next pass continues where this one " +
      "stopped. To handle each list by itself, use `syncEither`."
  },
  TooManyDeletions: {
    meaning: "A pass of sync would mark too many items as deleted. Nothing was marked.",
    occurs: "The service lists less than half of what the copy holds. A key of another account is the usual reason.",
    remedy:
      "Check MAILSTREAM_API_KEY: a sync with the right key marks what the other one has added as deleted. If the items " +
      "really are gone, raise --max-deleted, up to 1."
  },
  UnstorableItem: {
    meaning: "Some items of a list could not be copied. All others were.",
    occurs: "The database cannot index an id that is this long.",
    remedy: "Copy this list into SQLite, which has no such limit, or leave it out with --lists."
  },
  OtherService: {
    meaning: "The copy was made from another service.",
    occurs: "The base URL differs from the one that the copy was made from.",
    remedy:
      "Use the same base URL, or keep this copy apart with another --account or another database. If the service itself " +
      "has moved, set the column service in mirror_lists."
  },
  SqlError: {
    meaning: "The database of a copy failed.",
    occurs: "A statement failed: the disk is full, the connection broke, or a permission is missing.",
    remedy: "Read the message, which is the database's own. A pass that was stopped is continued by the next sync."
  },
  TableInUse: {
    meaning: "The database has a table of the same name that is not a copy.",
    occurs: "sync would create a table such as contacts, but another program's table has that name. It is not touched.",
    remedy: "Choose a --prefix, another database, or on PostgreSQL a --schema."
  },
  ConsumerMoved: {
    meaning: "Another process has read changes as the same consumer.",
    occurs: "Two programs run changes with the same --consumer at the same time.",
    remedy: "Run one process per consumer, or give each its own name."
  },
  InvalidOption: {
    meaning: "An option is invalid.",
    occurs: "A number is out of range, or a name is not that of a list. The program reports it as a usage error.",
    remedy: "Read the message: it names the option and what it must be."
  },
  StoreError: {
    meaning: "The store of the service on this machine failed.",
    occurs: "serve cannot open, read or write its store: the file is in use or not a database, or the server is down.",
    remedy: "Check --store. Unavailable means that it may succeed later."
  },
  ServeError: {
    meaning: "The service or a worker cannot listen at its address.",
    occurs: "The port is in use, or the address is not one of this machine.",
    remedy: "Choose another --port (for serve, 0 for a free one), --health-port or --host."
  },
  DatabaseError: {
    meaning: "The database of a copy cannot be used.",
    occurs: "It cannot be reached or opened, the credentials are wrong, a permission is missing, or it holds no copy.",
    remedy:
      "Check --to, --database or MAILSTREAM_DATABASE_URL, and the permissions there. If there is no copy yet, make one with mailstream sync or mailstream worker."
  },
  OutputError: {
    meaning: "The output cannot be written.",
    occurs:
      "The directory does not exist, a permission is missing, the disk is full, or the file belongs to a resumable run.",
    remedy: "Read the message: it names the file and what to do."
  },
  ClientClosed: {
    meaning: "The client of @mailstream/client was closed.",
    occurs: "close() was called before or during the call; it aborts everything that is running.",
    remedy: "Close the client when everything that uses it has ended, or create a new one."
  },
  AccountsError: {
    meaning: "The accounts of a cluster cannot be read.",
    occurs:
      "The file is missing or not in the expected form, or the table cannot be read or decrypted. The " +
      "message never contains a key.",
    remedy: "Read the message: it names the source and what is wrong with it. All workers need the same accounts."
  },
  UnsuitableDatabase: {
    meaning: "The database cannot hold the state of a cluster.",
    occurs: "A worker is started on SQLite, or on PostgreSQL in a time zone other than UTC.",
    remedy: "Use PostgreSQL, through Database.layer of @mailstream/cluster, or set TimeZone to UTC for its sessions."
  },
  NoCluster: {
    meaning: "No worker has ever used this database.",
    occurs: "The status of a cluster is read, but no worker was ever started on this database with this prefix.",
    remedy: "Check the URL and the prefix, or start a worker first."
  },
  UnexpectedError: {
    meaning: "An unexpected failure: a bug.",
    occurs: "Never in normal operation.",
    remedy: "Run it again with --log-level debug, and report what it prints. The output contains no API key."
  }
}

/**
 * @since 1.0.0
 * @category guards
 */
export const isTag = (text: string): text is Tag => Object.hasOwn(all, text)

/**
 * Every tag.
 *
 * @since 1.0.0
 * @category getters
 */
export const tags: ReadonlyArray<Tag> = Object.keys(all).filter(isTag)
