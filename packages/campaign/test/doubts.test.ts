import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { RetryPolicy } from "@mailstream/http"
import { eventually } from "@mailstream/testing/Eventually"
import * as WallClock from "@mailstream/testing/WallClock"
import { Clock, Effect, Fiber, Layer, Stream } from "effect"
import { emailTo, newsTo, people, type Person, setups } from "./support/people.ts"

const everybody = people(12)
const news = newsTo(everybody)
const addresses = everybody.map(({ email }) => email)

/** A day later: the service has forgotten its keys. */
const aDayLater = Effect.map(WallClock.make, ({ clock, shift }) => {
  shift("25 hours", "forward")
  return Effect.withClock(clock)
})

describe.each(setups)("a request without a response, on %s", (_, setup) => {
  it.scopedLive("is repeated with the same key and the same bytes", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 0 ? "lose" : "accept"
      const error = yield* Effect.flip(run(news, { concurrency: 1 }))
      assert(error._tag === "CampaignPaused" && error.reason === "Unavailable", String(error))
      const status = yield* run(news)
      assert.deepInclude(status, { accepted: 12, planned: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
      const [first, second] = service.requests
      assert.deepStrictEqual([second!.key, second!.body], [first!.key, first!.body])
    }))

  it.scopedLive("that was accepted a day ago is found by its tag", () =>
    Effect.gen(function*() {
      const { run, service, states } = yield* setup
      service.behave = ({ index }) => index === 1 ? "lose" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      service.forgetKeys()
      const sends = service.requests.length
      const status = yield* (yield* aDayLater)(run(news))
      assert.deepInclude(status, { accepted: 12, planned: 0, undecided: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
      // The second batch was not sent again.
      assert.strictEqual(service.requests.length - sends, 1)
      for (const { address, emailId } of yield* states()) {
        assert.strictEqual(service.accepted.find(({ id }) => id === emailId)?.email.to, address)
      }
    }))

  it.scopedLive("that was lost a day ago is sent with another key", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 1 ? "drop" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      service.forgetKeys()
      const status = yield* (yield* aDayLater)(run(news))
      assert.deepInclude(status, { accepted: 12, planned: 0, undecided: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
      assert.notInclude(service.requests.slice(2).map(({ key }) => key), service.requests[1]!.key)
    }))

  it.scopedLive("is looked for a day later, though the clock was set back by hours before it would have been repeated", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 0 ? "accept" : "lose"
      const { clock, shift } = yield* WallClock.make
      const slow = RetryPolicy.make({ times: 3, base: "1 hour", cap: "1 hour" })
      const running = yield* run(news, { concurrency: 1, lease: "150 millis", retry: slow }).pipe(
        Effect.withClock(clock),
        Effect.fork
      )
      yield* eventually("a response is lost", () => service.requests.length === 2)
      shift("14 hours", "back")
      // Longer than it takes until the run looks at its clock again.
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(running)
      service.forgetKeys()
      service.behave = () => "accept"
      // 24 hours after the request, by the clock that was 14 hours behind.
      shift("10 hours", "forward")
      assert.deepInclude(yield* Effect.withClock(run(news), clock), { accepted: 12, planned: 0, undecided: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))

  it.scopedLive("is looked for even if the service did not respond when the campaign began", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.failingReads = 1
      const error = yield* Effect.flip(run(news))
      assert(error._tag === "CampaignPaused" && error.reason === "Unavailable", String(error))
      assert.strictEqual(service.requests.length, 0)
      service.failingReads = 2
      service.behave = () => "drop"
      const retry = RetryPolicy.make({ times: 2, base: "1 millis", cap: "10 millis" })
      yield* Effect.flip(run(news, { concurrency: 1, retry }))
      service.behave = () => "accept"
      const status = yield* (yield* aDayLater)(run(news))
      assert.deepInclude(status, { accepted: 12, planned: 0, undecided: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))

  it.scopedLive("is not sent again while nobody can tell, and decided by an operator", () =>
    Effect.gen(function*() {
      const { database, run, service, states } = yield* setup
      service.mayList = false
      service.behave = ({ index }) => index === 1 ? "lose" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      service.forgetKeys()
      const later = yield* aDayLater
      const error = yield* Effect.flip(later(run(news)))
      assert(error._tag === "UndecidedRecipients", String(error))
      assert.strictEqual(error.count, 5)
      assert.strictEqual((yield* states({ state: "undecided" })).length, 5)
      assert.strictEqual(service.accepted.length, 12)
      const ids = everybody.slice(5, 7).map(({ id }) => id)
      assert.strictEqual(yield* Effect.provide(Campaign.resolve("news", "assumeSent", { ids }), database), 2)
      assert.strictEqual((yield* states({ state: "undecided" })).length, 3)
      assert.strictEqual(yield* Effect.provide(Campaign.resolve("news", "resend"), database), 3)
      assert.deepInclude(yield* later(run(news)), { accepted: 12, planned: 0, undecided: 0 })
      // The operator was wrong about three of them.
      assert.strictEqual(service.accepted.length, 15)
    }))

  it.scopedLive("is not sent again if the list of emails does not go back that far", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 1 ? "drop" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      service.forgetKeys()
      const before = service.accepted.length
      service.listed = ({ id }) => service.accepted.findIndex((email) => email.id === id) >= before
      const error = yield* Effect.flip((yield* aDayLater)(run(news)))
      assert(error._tag === "UndecidedRecipients", String(error))
      assert.include(error.message, "cannot tell whether 5 people were written to. The list of emails does not go back")
      assert.strictEqual(service.accepted.length, before + 2)
    }))

  it.scopedLive("is not sent again with the key of another account, and nothing else is", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      service.behave = ({ index }) => index === 1 ? "drop" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      // Another account has other emails.
      service.accepted.length = 0
      const { length } = service.requests
      const error = yield* Effect.flip(run(news))
      assert(error._tag === "CampaignMismatch" && error.reason === "Account", String(error))
      assert.match(
        error.message,
        /"news" was begun with another account: this API key does not know its last email, email-4\./
      )
      assert.strictEqual(service.requests.length, length)
      // Nor does the other account know what became of its emails.
      const deliveries = Effect.provide(Campaign.deliveries("news"), Layer.merge(service.client, database))
      assert.propertyVal(yield* Effect.flip(deliveries), "reason", "Account")
      // A key that may only send cannot tell.
      service.mayList = false
      assert.deepInclude(yield* run(news), { accepted: 12 })
    }))

  it.scopedLive("is found later, when the emails may be listed again", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.mayList = false
      service.behave = ({ index }) => index === 1 ? "lose" : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      service.forgetKeys()
      const later = yield* aDayLater
      assert.strictEqual((yield* later(run(news, { onUndecided: "report" }))).undecided, 5)
      service.mayList = true
      assert.deepInclude(yield* later(run(news)), { accepted: 12, undecided: 0 })
      assert.strictEqual(service.accepted.length, 12)
    }))

  it.scopedLive("and then refused, is looked for before anybody is rejected", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) =>
        index === 0 ? "lose" : index === 1 ? { statusCode: 422, name: "validation_error" } : "accept"
      yield* Effect.flip(run(news, { concurrency: 1 }))
      const status = yield* run(news)
      assert.deepInclude(status, { accepted: 12, rejected: 0, undecided: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))

  it.scopedLive("is never sent under another key if the service knows its key with other bytes", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 0 ? { statusCode: 409, name: "invalid_idempotent_request" } : "accept"
      const error = yield* Effect.flip(run(news, { concurrency: 1 }))
      assert(error._tag === "UndecidedRecipients", String(error))
      assert.strictEqual(error.count, 5)
      assert.strictEqual(service.accepted.length, 7)
    }))
})

describe.each(setups)("looking for emails, on %s", (_, setup) => {
  /** Loses the response to the first batch, and looks for it a day later. */
  const lookedFor = (all: ReadonlyArray<Person>, show: (email: object) => object) =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const campaign = newsTo(all)
      service.behave = ({ index }) => index === 0 ? "lose" : "accept"
      yield* Effect.flip(run(campaign))
      service.forgetKeys()
      service.show = show
      return { status: yield* (yield* aDayLater)(run(campaign, { onUndecided: "report" })), service }
    })

  it.scopedLive("finds addresses however they are written", () =>
    Effect.gen(function*() {
      const odd = ["\"smith, jo\"@example.com", "jürgen@müller.example", "plain@example.com"]
      const shown = (email: object) =>
        "to" in email ? { ...email, to: String(email.to).replace("müller", "xn--mller-kva").split(" and ") } : email
      const { service, status } = yield* lookedFor(odd.map((email) => ({ id: email, email })), shown)
      assert.deepInclude(status, { accepted: 3, undecided: 0 })
      assert.strictEqual(service.accepted.length, 3)
    }))

  it.scopedLive("finds emails that are listed without recipients", () =>
    Effect.gen(function*() {
      const { service, status } = yield* lookedFor(people(3), (email) => ({ ...email, to: undefined }))
      assert.deepInclude(status, { accepted: 3 })
      assert.strictEqual(service.accepted.length, 3)
    }))

  it.scopedLive("decides nothing if emails do not say which tags they have", () =>
    Effect.gen(function*() {
      const { service, status } = yield* lookedFor(people(3), (email) => ({ ...email, tags: undefined }))
      assert.deepInclude(status, { undecided: 3 })
      assert.strictEqual(service.accepted.length, 3)
    }))

  it.scopedLive("decides nothing about somebody whose email is listed, but has been removed", () =>
    Effect.gen(function*() {
      const removed = (email: object) => ({
        ...email,
        ...("to" in email && `${email.to}` === "person-1@example.com" && { id: "gone" })
      })
      const { service, status } = yield* lookedFor(people(3), (email) => "tags" in email ? email : removed(email))
      assert.deepInclude(status, { accepted: 2, undecided: 1 })
      assert.strictEqual(service.accepted.length, 3)
    }))

  it.scopedLive("remembers that too much time has passed, whatever the clock says later", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const { clock, shift } = yield* WallClock.make
      const at = <A, E, R>(hours: number, work: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          shift(Math.abs(hours) * 3_600_000, hours < 0 ? "back" : "forward")
          return Effect.withClock(work, clock)
        })
      service.behave = ({ index }) => index === 0 ? "lose" : "accept"
      service.mayList = false
      yield* at(10, Effect.flip(run(news, { concurrency: 1 })))
      // The clock is corrected: nobody knows how long ago that was.
      yield* at(0, Effect.flip(run(news)))
      service.forgetKeys()
      service.mayList = true
      yield* at(30, run(news))
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))
})

describe.each(setups)("a campaign that stops, on %s", (_, setup) => {
  it.scopedLive("says until when a quota lasts, and continues", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      service.behave = ({ index }) =>
        index === 1 ? { statusCode: 429, name: "daily_quota_exceeded", retryAfter: 3600 } : "accept"
      const error = yield* Effect.flip(run(news, { concurrency: 1 }))
      assert(error._tag === "CampaignPaused" && error.reason === "Quota", String(error))
      assert.match(error.message, /Run it again after \d{4}-.*Z: it continues\.$/)
      const paused = yield* Effect.provide(Campaign.status("news"), database)
      assert.include(paused.paused, "daily_quota_exceeded")
      assert.isDefined(paused.pausedUntil)
      assert.isFalse(paused.isRunning)
      // A week later: what certainly was not sent has no deadline.
      service.mayList = false
      const status = yield* (yield* aDayLater)(run(news))
      assert.deepInclude(status, { accepted: 12, undecided: 0, paused: undefined })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))

  it.scopedLive("is not stopped for longer than a month by any quota", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      for (const retryAfter of ["1795051600000000", "8700000000000", "9".repeat(300)]) {
        const next = service.requests.length
        service.behave = ({ index }) =>
          index === next ? { statusCode: 429, name: "daily_quota_exceeded", retryAfter } : "accept"
        const error = yield* Effect.flip(run(newsTo(people(next + 1)), { again: true }))
        assert(error._tag === "CampaignPaused" && error.until !== undefined, String(error))
        assert.match(error.message, /Run it again after \d{4}-.*Z: it continues\.$/)
        const days = (error.until.epochMillis - (yield* Clock.currentTimeMillis)) / 86_400_000
        assert(days > 30 && days < 32, `${days} days`)
        assert.isDefined((yield* Effect.provide(Campaign.status("news"), database)).paused)
      }
      assert.deepInclude(yield* run(news, { again: true }), { accepted: 12 })
    }))

  it.scopedLive("waits for a quota if it is told to", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) =>
        index === 1 ? { statusCode: 429, name: "daily_quota_exceeded", retryAfter: 1 } : "accept"
      assert.deepInclude(yield* run(news, { concurrency: 1, onPause: "wait" }), { accepted: 12, paused: undefined })
    }))

  it.scopedLive("does not blame anybody for a key that may not send", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 0 ? { statusCode: 403, name: "invalid_permission" } : "accept"
      const error = yield* Effect.flip(run(news, { concurrency: 1 }))
      assert(error._tag === "CampaignPaused" && error.reason === "Refused", String(error))
      assert.deepInclude(yield* run(news), { accepted: 12, rejected: 0 })
    }))

  it.scopedLive("does not blame anybody for a gateway", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      for (const statusCode of [400, 404, 413, 422]) {
        for (const name of ["", undefined]) {
          const before = service.requests.length
          service.behave = ({ index }) => index === before ? { statusCode, name } : "accept"
          const error = yield* Effect.flip(run(newsTo(people(before + 1)), { concurrency: 1, again: true }))
          assert(error._tag === "CampaignPaused" && error.reason === "Refused", String(error))
        }
      }
      assert.deepInclude(yield* run(news, { again: true }), { accepted: 12, rejected: 0 })
    }))

  it.scopedLive("finds the email that a batch was refused for", () =>
    Effect.gen(function*() {
      const { run, service, states } = yield* setup
      service.behave = ({ emails }) =>
        emails.some(({ to }) => to === "person-3@example.com")
          ? { statusCode: 422, name: "validation_error" }
          : "accept"
      assert.deepInclude(yield* run(news), { accepted: 11, rejected: 1, planned: 0 })
      const rejected = yield* states({ state: "rejected" })
      assert.deepStrictEqual(rejected.map(({ id, reason }) => [id, reason]), [["person-3", "No: validation_error."]])
      assert.deepStrictEqual(
        [...service.addresses()].sort(),
        addresses.filter((address) => address !== "person-3@example.com").sort()
      )
    }))

  it.scopedLive("keeps what a permissive batch rejects apart", () =>
    Effect.gen(function*() {
      const { run, service, states } = yield* setup
      service.rejects = ({ to }) => to === "person-1@example.com" || to === "person-11@example.com"
      assert.deepInclude(yield* run(news), { accepted: 10, rejected: 2 })
      for (const { address, emailId } of yield* states({ state: "accepted" })) {
        assert.strictEqual(service.accepted.find(({ id }) => id === emailId)?.email.to, address)
      }
    }))

  it.scopedLive("stops if everybody is rejected, and can forget that", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      const all = newsTo(people(40))
      service.rejects = () => true
      const error = yield* Effect.flip(run(all, { concurrency: 1 }))
      assert(error._tag === "CampaignPaused" && error.reason === "Rejected", String(error))
      // The next one may be on its way when the response to the fourth is stored.
      assert.include([4, 5], service.requests.length)
      // Also again, and if nothing of it is ever sent.
      yield* Effect.flip(
        run(newsTo(people(1000), (person) => ({ ...emailTo(person), to: "nobody" })), { concurrency: 1 })
      )
      service.rejects = () => false
      const forgotten = yield* Effect.provide(Campaign.forget("news", "rejected"), database)
      assert.isAbove(forgotten, 39)
      assert.isBelow(forgotten, 60)
      assert.deepInclude(yield* run(all), { accepted: 40, rejected: 0 })
      assert.strictEqual(new Set(service.addresses()).size, 40)
    }))

  it.scopedLive("because its audience is another one, before anybody is written to", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const to = (scope: string | undefined, all = everybody) =>
        Campaign.make("news", { audience: Stream.fromIterable(all), message: emailTo, scope })
      assert.deepInclude(yield* run(to("readers")), { accepted: 12 })
      for (const scope of ["customers", undefined]) {
        const error = yield* Effect.flip(run(to(scope, people(20)), { again: true }))
        assert(error._tag === "CampaignMismatch", String(error))
        assert.deepInclude(error, { reason: "Scope", begunWith: "readers" })
        assert.include(
          error.message,
          `was begun with the scope "readers", not ${
            scope === undefined ? "without a scope" : "with the scope \"customers\""
          }. To`
        )
      }
      assert.strictEqual(service.addresses().length, 12)
      assert.deepInclude(yield* run(to("readers", people(20)), { again: true }), { accepted: 20 })
    }))

  it.scopedLive("after its walk has ended, and walks again if it is asked to", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      service.behave = ({ index }) => index === 2 ? "drop" : "accept"
      yield* Effect.flip(run(news, { concurrency: 3 }))
      service.behave = () => "accept"
      assert.deepInclude(yield* run(newsTo(people(15)), { again: true }), { accepted: 15, planned: 0 })
    }))

  it.scopedLive("not at all, if it cannot be interrupted", () =>
    Effect.gen(function*() {
      const { run } = yield* setup
      assert.deepInclude(yield* Effect.uninterruptible(run(news)), { accepted: 12 })
    }))

  it.scopedLive("for nobody because of one address that is too long", () =>
    Effect.gen(function*() {
      const { database, run, states } = yield* setup
      const random = Array.from({ length: 4000 }, () => Math.floor(Math.random() * 36).toString(36)).join("")
      const all = [...people(2), { id: "long", email: `${random}@example.com` }]
      const campaign = Campaign.make("news", {
        audience: Stream.fromIterable(all),
        message: emailTo,
        once: "address"
      })
      assert.deepInclude(yield* run(campaign), { accepted: 2, rejected: 1 })
      assert.include((yield* states({ state: "rejected" }))[0]?.reason, "at most 500 characters")
      assert.strictEqual(yield* Effect.provide(Campaign.forget("news", "rejected"), database), 1)
    }))

  it.scopedLive("sends nothing more once it has been interrupted", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      service.behave = ({ index }) => index === 0 ? "accept" : "hang"
      const fiber = yield* Effect.fork(run(newsTo(people(40)), { concurrency: 2 }))
      yield* Effect.repeat(Effect.sleep("2 millis"), { until: () => service.requests.length >= 3 })
      yield* Fiber.interrupt(fiber)
      const { length } = service.requests
      // What it had planned beside them was not sent, and is stored as such.
      const count = yield* Effect.provide(Campaign.forget("news", "planned"), database)
      assert.include([5, 10], count)
      yield* Effect.sleep("100 millis")
      assert.strictEqual(service.requests.length, length)
    }))

  it.scopedLive("by the error of a message, and continues there", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const made: Array<string> = []
      const failing = (isBroken: boolean) =>
        Campaign.make("news", {
          audience: Stream.rechunk(Stream.fromIterable(everybody), 3),
          message: (person: (typeof everybody)[number]) => {
            made.push(person.id)
            return isBroken && person.id === "person-9" ? Effect.fail("no template" as const) : emailTo(person)
          }
        })
      assert.strictEqual(yield* Effect.flip(run(failing(true))), "no template")
      assert.deepInclude(yield* run(failing(false)), { accepted: 12 })
      assert.deepStrictEqual([...service.addresses()].sort(), [...addresses].sort())
    }))
})
