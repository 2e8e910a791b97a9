/** The client for plain TypeScript. */
import { Mailstream } from "@mailstream/client"
import { Context, DefaultServices, Effect, Random } from "effect3"
import { type Outcome, type Progress, Refusal, type Run, type Seen, shown } from "./outcome.ts"
import { idOf } from "./service.ts"

/** The client takes its random numbers from Effect, and so does the line for Effect 3 here: all of them are the same. */
export const withoutChance = async <A>(program: () => Promise<A>): Promise<A> => {
  const random = Context.get(DefaultServices.liveServices, Random.Random)
  Object.defineProperty(random, "next", { value: Effect.succeed(0.5), configurable: true })
  try {
    return await program()
  } finally {
    Reflect.deleteProperty(random, "next")
  }
}

export const run: Run = async ({ scenario, service, stored, time }, job, failsAt): Promise<Outcome> => {
  const seen: Array<Seen> = []
  const logs: Array<unknown> = []
  let progress: Progress = { requests: 0, retries: 0, pages: 0, items: 0, waited: 0 }
  const { maxBodySize, rateLimit, retry, segment, timeout } = scenario
  const mailstream = new Mailstream({
    baseUrl: "https://api.example.com/v1",
    apiKey: "re_secret_4f2b9c7d",
    fetch: service.fetch,
    logger: Object.fromEntries(
      ["debug", "info", "warn", "error"].map((level) => [
        level,
        (message: string) => void (level === "debug" || logs.push([level.toUpperCase(), message]))
      ])
    ) as never,
    maxBodySize,
    rateLimit,
    timeout
  })
  const controller = new AbortController()
  if (job.until !== undefined) setTimeout(() => controller.abort(new Error("enough")), job.until)
  const { signal } = controller
  const common = {
    pageSize: job.pageSize,
    retry,
    signal,
    filter: segment ? { segment_id: idOf(77) } : undefined,
    progress: (now: Progress) => void (progress = now)
  }
  const at = job._tag !== "whole" && job._tag !== "follow" && job.from !== undefined
    ? { ...job.from, id: idOf(job.from.id), fallbacks: job.from.fallbacks.map(idOf) }
    : undefined
  const handle = async (value: unknown, signal: AbortSignal) => {
    seen.push({ at: time.now(), value })
    const isRefused = seen.length === failsAt
    if (job.handling > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, job.handling)
        signal.addEventListener("abort", () => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    if (isRefused) throw new Refusal("refused")
  }
  const each = async (values: AsyncIterable<unknown>, enough: number | undefined) => {
    let count = 0
    for await (const value of values) {
      await handle(value, signal)
      if (signal.aborted) throw signal.reason
      if (++count === enough) break
    }
  }
  const { contacts } = mailstream
  const program = () => {
    switch (job._tag) {
      case "items":
        return each(contacts.items({ ...common, take: job.take, prefetch: job.prefetch, from: at }), job.enough)
      case "pages":
        return each(contacts.pages({ ...common, take: job.take, prefetch: job.prefetch, from: at }), job.enough)
      case "whole": {
        const { pageSize: _, ...options } = common
        return each(contacts.whole(options), job.enough)
      }
      case "follow":
        return each(
          contacts.follow({ ...common, poll: job.poll, since: job.since === undefined ? undefined : idOf(job.since) }),
          job.enough
        )
      case "process":
        return contacts.process("export", (item, { signal }) => handle(item, signal), {
          ...common,
          from: at,
          prefetch: job.prefetch,
          concurrency: job.concurrency,
          store: {
            get: (key) => Promise.resolve(stored.get(key)),
            set: (key, text) => Promise.resolve(stored.set(key, text)),
            remove: (key) => Promise.resolve(stored.delete(key)),
            has: (key) => Promise.resolve(stored.has(key))
          }
        })
    }
  }
  const end = await Promise.resolve().then(program).then(
    () => "ended",
    (error) =>
      error === signal.reason && signal.aborted
        ? "interrupted"
        : { error: shown(error) }
  )
  const ended = time.now()
  await mailstream.close()
  return { seen, end, at: ended, progress: { ...progress, logs }, spans: undefined }
}
