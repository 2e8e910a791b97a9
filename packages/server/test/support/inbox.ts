import { assert } from "@effect/vitest"
import type { Server } from "@mailstream/server"
import { Effect } from "effect"
import { post, send } from "./http.ts"

export interface Sent {
  readonly from?: string
  readonly to?: string | ReadonlyArray<string>
  readonly subject?: string
  readonly [field: string]: unknown
}

/** Sends an email, and returns its id. */
export const sendEmail = (email: Sent): Effect.Effect<string, never, Server.TestServer> =>
  Effect.map(
    post("/emails", { from: "hello@acme.example", to: "ada@example.com", subject: "Hello", text: "Hi", ...email }),
    ({ status, text }) => {
      assert.strictEqual(status, 200, text)
      return JSON.parse(text).id
    }
  )

/** The JSON that the inbox responds with. */
export const inbox = (path: string, init?: Parameters<typeof send>[1]) =>
  Effect.map(send(`/inbox/api/${path}`, init), ({ status, text }) => {
    assert.strictEqual(status, 200, text)
    return JSON.parse(text)
  })

/** The subjects of a list. */
export const subjects = (path: string) =>
  Effect.map(inbox(path), ({ data }) => data.map(({ subject }: { readonly subject: string }) => subject))
