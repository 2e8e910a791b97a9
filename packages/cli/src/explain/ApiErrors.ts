/** What the errors of the API mean, by the API's names. This is data alone: it imports nothing but types. */
import type { ApiError } from "@mailstream/core"
import type { Explanation } from "./Doors.ts"

export type { Explanation }

const failed: Explanation = {
  meaning: "The service failed.",
  occurs: "Something went wrong inside the service, and still did after several attempts.",
  remedy:
    "Try again later, or give it more time with {patience}. After a change, the message says whether it was certainly not " +
    "processed, or whether nobody knows: then look before you repeat it."
}

export const explanations: { readonly [tag in ApiError["_tag"]]: Explanation } = {
  validation_error: {
    meaning: "Something in the request is invalid.",
    occurs:
      "The id in {cursor} is malformed, a limit is not between 1 and 100, a field is missing, too long or unknown, " +
      "or the state of an object does not allow a change: a broadcast that was sent stays as it is. Some services also " +
      "respond with it to a wrong API key. Sent with status 400, 403 or 422; input that can be checked locally fails with " +
      "the same error, without a request.",
    remedy:
      "Read the message: it names what is invalid. Nothing was changed. The same request fails again until it is changed, " +
      "so it is not retried. If the message is about a key, check {key}."
  },
  missing_api_key: {
    meaning: "The request had no API key.",
    occurs: "The service did not see an Authorization header, with status 401. A proxy in between may have removed it.",
    remedy: "Set {key}. If it is set, check the proxies between you and the service."
  },
  invalid_api_key: {
    meaning: "The service does not know the API key.",
    occurs: "The key has a typo, was deleted, or belongs to another service than the base URL names.",
    remedy: "Check {key} and {url}; create a new key if the old one is gone."
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
      "An id belongs to something that was deleted, or to another account; {cursor} references an item that does not " +
      "exist; or the base URL has a wrong path. Messages of the API call a segment an audience: \"Audience not found\" is about " +
      "the id of a segment.",
    remedy: "Check the id. If every request fails like this, check the path in {url}."
  },
  method_not_allowed: {
    meaning: "The path exists, but not for this method.",
    occurs: "The base URL leads to another service, or something in between rewrites requests.",
    remedy: "Check {url}."
  },
  resource_locked: {
    meaning: "The object is locked by another operation.",
    occurs: "Another client is changing the same object.",
    remedy: "Try again a little later."
  },
  invalid_parameter: {
    meaning: "A parameter has an invalid value.",
    occurs: "The service rejects a value in the query or in the body, with status 422.",
    remedy: "Read the message: it names the parameter. The same request fails again until it is changed."
  },
  missing_required_field: {
    meaning: "A field of the body is missing.",
    occurs: "Something was created or changed without a field that this needs, with status 422.",
    remedy: "Read the message: it names the field."
  },
  missing_required_parameter: {
    meaning: "A parameter is missing.",
    occurs: "The service needs a parameter that the request does not have, with status 422.",
    remedy: "Read the message: it names the parameter."
  },
  invalid_idempotency_key: {
    meaning: "The idempotency key of a send is not one.",
    occurs: "It is empty, has more than 256 characters, or has others than visible ASCII.",
    remedy:
      "Make it shorter: a key needs to be unique, not to say everything. Without one of your own, every send gets a new one. " +
      "Nothing was sent."
  },
  invalid_idempotent_request: {
    meaning: "The idempotency key was used for another email.",
    occurs:
      "Within the last 24 hours, a send had the same key and another content, with status 409. A timestamp or a random value " +
      "in the content of a repetition is enough.",
    remedy:
      "If this is another email, it needs another key. If it is a repetition, send exactly what you sent before. This one was " +
      "not sent; the other one was not changed."
  },
  concurrent_idempotent_requests: {
    meaning: "A send with this idempotency key is still in progress.",
    occurs:
      "A repetition arrived before the response to the first attempt, or two processes use the same key at the same time, with " +
      "status 409.",
    remedy:
      "Repeat it a little later, with the same key and the same content: you get the response to the one in progress, and " +
      "nothing is sent twice. Sends repeat it by themselves; give it more time with {patience}."
  },
  invalid_attachment: {
    meaning: "An attachment cannot be sent.",
    occurs: "It has neither content nor path, its content is not base64, or its type is not allowed, with status 422.",
    remedy: "Read the message, and change the attachment. Nothing was sent."
  },
  email_above_quota: {
    meaning: "The email has more recipients than the quota has left.",
    occurs: "Each recipient counts against the quota of the account, with status 403.",
    remedy: "Send it to fewer recipients, or when the quota is renewed. Nothing was sent."
  },
  rate_limit_exceeded: {
    meaning: "There were too many requests in a short time.",
    occurs:
      "More requests per second than the account may send. Requests are retried as the service asks; this error " +
      "remains when the retries are used up, or when it asks for too long a wait.",
    remedy:
      "Wait for as long as the message says, or give more time with {patience}. If several programs share the key, run " +
      "fewer at once."
  },
  daily_quota_exceeded: {
    meaning: "The daily quota is used up.",
    occurs: "The account has sent as many requests or emails as it may in a day. It is not retried.",
    remedy: "Continue tomorrow ({resumable} keeps its position), or raise the quota."
  },
  monthly_quota_exceeded: {
    meaning: "The monthly quota is used up.",
    occurs: "The account has sent as many requests or emails as it may in a month. It is not retried.",
    remedy: "Raise the quota, or continue next month."
  },
  application_error: failed,
  internal_server_error: failed,
  service_unavailable: {
    meaning: "The service is temporarily unavailable.",
    occurs: "It is overloaded or being maintained, and still was after several attempts.",
    remedy: "Try again later, or give it more time with {patience}."
  },
  api_error: {
    meaning: "The service, or something in front of it, responded with another error.",
    occurs:
      "The response has an error status, but no name that this version knows: often the HTML page of a proxy, or an " +
      "empty body. The message says what was requested and what was found.",
    remedy: "Check {url} and the proxies in between. A status of 500 or more may be temporary: try again later."
  }
}
