/** A service that accepts batches of emails, recognizes repetitions by their keys, and fails as a test wants. */
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { idOf } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { apiKey } from "./service.ts"

/** What happens to a request: it is lost after it was processed, or refused with a status and a name. */
export type Fault = "lost" | readonly [status: number, name: string] | undefined

export interface EmailService {
  readonly env: Record<string, string>
  /** The subjects of all emails that were accepted, in that order, as often as they were. */
  readonly sent: Array<string>
  readonly requests: Array<{ readonly key: string; readonly count: number; readonly validation: string }>
  /** The most requests at the same time. */
  readonly most: () => number
  /** Forgets all keys, as the service does after a day. */
  readonly forget: () => void
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

export const emailService = (
  fault: (index: number, body: string) => Fault = () => undefined,
  delay: (index: number) => Promise<void> = () => Promise.resolve()
): Effect.Effect<EmailService, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sent: Array<string> = []
    const requests: Array<EmailService["requests"][number]> = []
    const known = new Map<string, { readonly body: string; readonly response: unknown }>()
    let [now, most] = [0, 0]
    const respond = (body: string) => {
      const data: Array<unknown> = []
      const errors: Array<unknown> = []
      for (const [index, { subject, to }] of JSON.parse(body).entries()) {
        if (String(to).startsWith("refused")) errors.push({ index, message: `${to} is not accepted.` })
        else data.push({ id: idOf(sent.push(subject)) })
      }
      return { data, errors }
    }
    const baseUrl = yield* serve((request, response) => {
      void (async () => {
        most = Math.max(most, ++now)
        const body = await textOf(request)
        const key = String(request.headers["idempotency-key"])
        const validation = String(request.headers["x-batch-validation"])
        const index = requests.push({ key, count: JSON.parse(body).length, validation }) - 1
        const failure = fault(index, body)
        await delay(index)
        now--
        const failed = (status: number, name: string) =>
          sendJson(response, status, { name, statusCode: status, message: `Fault ${name}.` }, { "retry-after": "0" })
        if (Array.isArray(failure)) return failed(failure[0], failure[1])
        const before = known.get(key)
        if (before !== undefined && before.body !== body) return failed(409, "invalid_idempotent_request")
        const answer = before?.response ?? respond(body)
        known.set(key, { body, response: answer })
        if (failure === "lost") return response.destroy()
        return sendJson(response, 200, answer)
      })()
    })
    return {
      env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey },
      sent,
      requests,
      most: () => most,
      forget: () => known.clear()
    }
  })
