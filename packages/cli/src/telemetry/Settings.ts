/** How telemetry is exported: the variables of OpenTelemetry. What they hold, such as a token, is in no message. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { version } from "../terminal/Version.ts"
import * as UsageError from "../usage/UsageError.ts"
import { type Signal, variable, variableOf } from "./Variables.ts"

/** Where one kind of signal goes, and how. */
export interface Settings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly isJson: boolean
  /** How many milliseconds the collector has to respond. */
  readonly timeout: number
}

/** Which traces are exported: those whose ids are in this share of all ids. */
export interface Sampling {
  readonly ratio: number
  /** Whether spans with a parent do what their parent does. */
  readonly isParentBased: boolean
}

/** What the telemetry is about. */
export interface Resource {
  readonly serviceName: string
  readonly serviceVersion: string
  readonly attributes: Readonly<Record<string, string>>
}

type Given = Effect.Effect.Success<ReturnType<typeof variableOf>>

const paths: { readonly [signal in Signal]: string } = { TRACES: "v1/traces", METRICS: "v1/metrics", LOGS: "v1/logs" }

/** The endpoint of a kind of signal is complete; to that of all of them, a path is added. */
const urlOf = (signal: Signal, { isOwn, name, value }: Given): Either.Either<string, UsageError.UsageError> => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return Either.left(UsageError.make(
      `${name} must be an http or https URL, as in http://collector:4318`,
      "A token belongs in OTEL_EXPORTER_OTLP_HEADERS."
    ))
  }
  return Either.right(isOwn ? url.href : new URL(paths[signal], url.href.replace(/\/?$/, "/")).href)
}

const token = /^[\w!#$%&'*+.^`|~-]+$/
const printable = /^[\x20-\x7e]*$/

/** `name=value,other=value`, where values may have percent-encoded characters. */
const pairsOf = ({ name, value }: Pick<Given, "name" | "value">) =>
  Either.gen(function*() {
    const pairs: Record<string, string> = {}
    for (const pair of value.split(",").map((pair) => pair.trim()).filter((pair) => pair !== "")) {
      const [, key = "", encoded = ""] = /^([^=]*?)\s*=\s*(.*)$/.exec(pair) ?? []
      const decoded = yield* Either.try({ try: () => decodeURIComponent(encoded), catch: () => wrongPairs(name) })
      if (!token.test(key) || !printable.test(decoded)) return yield* Either.left(wrongPairs(name))
      pairs[key] = decoded
    }
    return pairs
  })

const wrongPairs = (name: string) =>
  UsageError.make(`${name} must be a list, as in name=value,other=value`, "Encode other characters, as in %20.")

const isJson = ({ name, value }: Given): Either.Either<boolean, UsageError.UsageError> =>
  ["", "http/protobuf", "http/json"].includes(value)
    ? Either.right(value === "http/json")
    : Either.left(UsageError.make(`${name} must be http/protobuf or http/json, not '${value}'`))

const milliseconds = (
  { name, value }: Pick<Given, "name" | "value">,
  fallback: number
): Either.Either<number, UsageError.UsageError> =>
  value === ""
    ? Either.right(fallback)
    : /^[1-9]\d{0,8}$/.test(value)
    ? Either.right(Number(value))
    : Either.left(UsageError.make(`${name} must be a number of milliseconds, as in 10000`))

export const of = (signal: Signal): Effect.Effect<Settings, UsageError.UsageError> =>
  Effect.all({
    url: Effect.flatMap(variableOf(signal, "ENDPOINT"), (given) => urlOf(signal, given)),
    headers: Effect.flatMap(variableOf(signal, "HEADERS"), pairsOf),
    isJson: Effect.flatMap(variableOf(signal, "PROTOCOL"), isJson),
    timeout: Effect.flatMap(variableOf(signal, "TIMEOUT"), (given) => milliseconds(given, 10_000))
  })

const named = (name: string) => Effect.map(variable(name), (value) => ({ name, value }))

/** How many milliseconds there are between two exports of metrics. */
export const metricInterval: Effect.Effect<number, UsageError.UsageError> = Effect.flatMap(
  named("OTEL_METRIC_EXPORT_INTERVAL"),
  (given) => milliseconds(given, 60_000)
)

const parentBased = "parentbased_"

const samplers = ["always_on", "always_off", "traceidratio"].flatMap((name) => [name, parentBased + name])

/** A share from 0 to 1; all if there is none. */
const share = ({ name, value }: Pick<Given, "name" | "value">): Either.Either<number, UsageError.UsageError> =>
  value === "" || /^(0(\.\d+)?|1(\.0+)?|\.\d+)$/.test(value)
    ? Either.right(value === "" ? 1 : Number(value))
    : Either.left(UsageError.make(`${name} must be a number between 0 and 1, as in 0.1, not '${value}'`))

/** Which traces are exported. */
export const sampling: Effect.Effect<Sampling, UsageError.UsageError> = Effect.gen(function*() {
  const { name, value } = yield* named("OTEL_TRACES_SAMPLER")
  const sampler = value === "" ? `${parentBased}always_on` : value
  if (!samplers.includes(sampler)) {
    return yield* UsageError.fail(`${name} must be one of ${samplers.join(", ")}, not '${value}'`)
  }
  const isParentBased = sampler.startsWith(parentBased)
  if (sampler.endsWith("always_on")) return { isParentBased, ratio: 1 }
  if (sampler.endsWith("always_off")) return { isParentBased, ratio: 0 }
  return { isParentBased, ratio: yield* Effect.flatMap(named("OTEL_TRACES_SAMPLER_ARG"), share) }
})

/** Two processes must differ in their attributes: metrics of both would be taken for those of one. */
export const resource: Effect.Effect<Resource, UsageError.UsageError> = Effect.gen(function*() {
  const given = yield* Effect.flatMap(named("OTEL_RESOURCE_ATTRIBUTES"), pairsOf)
  const { "service.name": name, "service.version": own = version, ...attributes } = given
  const serviceName = yield* variable("OTEL_SERVICE_NAME")
  return {
    serviceName: serviceName === "" ? name ?? "mailstream" : serviceName,
    serviceVersion: own,
    attributes: { "service.instance.id": crypto.randomUUID(), ...attributes }
  }
})
