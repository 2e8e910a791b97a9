/** Domains: not verified until somebody asks for it, and then after a moment. */
import { NotFound, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields } from "../../stores/Store.ts"
import type { Call, Life, Result } from "./Life.ts"
import * as Moment from "./Moment.ts"

const record = (value: unknown): Fields => typeof value === "object" && value !== null ? { ...value } : {}

/** The DNS records that a domain needs. */
const recordsOf = ({ custom_return_path, name, region, status = "not_started" }: Fields): ReadonlyArray<Fields> => {
  const path = typeof custom_return_path === "string" ? custom_return_path : "send"
  const sender = `feedback-smtp.${typeof region === "string" ? region : "us-east-1"}.example.com`
  return [
    { record: "SPF", name: `${path}.${String(name)}`, type: "MX", ttl: "Auto", status, value: sender, priority: 10 },
    {
      record: "SPF",
      name: `${path}.${String(name)}`,
      type: "TXT",
      ttl: "Auto",
      status,
      value: "v=spf1 include:example.com ~all"
    },
    { record: "DKIM", name: `resend._domainkey.${String(name)}`, type: "TXT", ttl: "Auto", status, value: "p=MIGfMA0" }
  ]
}

const capabilities = { sending: "enabled", receiving: "disabled" }

/** At least two labels, the last of which is not a number: neither a URL, nor an address of a machine. */
const domainName =
  /^(?=.{1,253}$)(?:[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?\.)+(?!\d+$)[\p{L}\p{M}\p{N}-]{2,63}$/u

/** Each domain is registered once, however its name is written. */
const mayRegister = ({ list, objects }: Call, name: string): Result<void> =>
  Effect.gen(function*() {
    if (!domainName.test(name)) {
      return yield* ValidationError.because("The `name` field must be the name of a domain, such as `example.com`.")
    }
    const isTaken = (other: Fields) => String(other["name"]).toLowerCase() === name.toLowerCase()
    if ((yield* objects.all(list)).some(isTaken)) {
      return yield* new ValidationError({
        statusCode: 403,
        message: `The \`${name}\` domain has been registered already.`
      })
    }
  })

export const life: Partial<Life> = {
  born: (input) => ({
    status: "not_started",
    region: "us-east-1",
    open_tracking: false,
    click_tracking: false,
    records: recordsOf(input)
  }),
  admit: (call, after, before) =>
    Effect.as(before === undefined ? mayRegister(call, String(after["name"])) : Effect.void, {
      ...after,
      capabilities: { ...capabilities, ...record(before?.["capabilities"]), ...record(after["capabilities"]) }
    }),
  show: (_, domain) => Effect.succeed({ ...domain, records: recordsOf(domain) }),
  actions: {
    verify: ({ list, now, objects, ref = "" }) =>
      Effect.gen(function*() {
        const domain = yield* objects.get(list, ref)
        if (domain === undefined) return yield* new NotFound({ statusCode: 404, message: "Domain not found" })
        if (domain["status"] !== "verified" && domain["due"] === undefined) {
          yield* objects.put(list, { ...domain, status: "pending", due: Moment.soon(now) })
        }
        return { id: domain["id"] }
      })
  },
  mature: () => Effect.succeed({ changes: { status: "verified" } })
}
