/** What the types of the `resend` SDK promise, checked on what its methods return. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Resend } from "resend"
import ts from "typescript"

/** A method of the SDK with a value that its types do not promise. */
export interface Broken {
  readonly method: string
  /** As in `data.created_at: undefined is not string`. */
  readonly problem: string
}

export interface Checked {
  /** The SDK, whose results are checked. */
  readonly resend: Resend
  readonly broken: ReadonlyArray<Broken>
  /** The methods that were called and have succeeded. */
  readonly succeeded: ReadonlySet<string>
}

type Result = { readonly data: unknown; readonly error: unknown }

/** Checks the results of every method that is called. */
export const checked = (resend: Resend): Checked => {
  const broken: Array<Broken> = []
  const succeeded = new Set<string>()
  const note = (method: string) => (result: Result): Result => {
    shared ??= promises(resend)
    for (const problem of shared(method, result)) broken.push({ method, problem })
    if (result.error === null) succeeded.add(method)
    return result
  }
  const wrap = <Client extends object>(client: Client, prefix: string): Client =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof name === "symbol") return value
        const method = `${prefix}${name}`
        if (typeof value === "object" && value !== null) return wrap(value, `${method}.`)
        if (typeof value !== "function") return value
        return (...args: ReadonlyArray<unknown>) => {
          const result: PromiseLike<Result> & { readonly publish?: () => Promise<Result> } = value.apply(target, args)
          return Object.assign(Promise.resolve(result).then(note(method)), {
            publish: () => result.publish!().then(note("templates.publish"))
          })
        }
      }
    })
  return { resend: wrap(resend, ""), broken, succeeded }
}

/** The types of what the methods return, by their names. */
const promises = (resend: Resend) => {
  const file = join(dirname(fileURLToPath(import.meta.url)), "virtual.ts")
  const source = methods(resend, "").map((method) => {
    const path = method.split(".").map((name) => `["${name}"]`).join("")
    return `export type ${identifier(method)} = Awaited<ReturnType<Resend${path}>>\n`
  })
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es5.d.ts"],
    types: [],
    strict: true
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, language) =>
    name === file
      ? ts.createSourceFile(name, `import type { Resend } from "resend"\n${source.join("")}`, language)
      : getSourceFile(name, language)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const aliases = new Map(
    program.getSourceFile(file)!.statements.filter(ts.isTypeAliasDeclaration).map((alias) => [alias.name.text, alias])
  )
  return (method: string, value: unknown) =>
    mismatches(checker, checker.getTypeAtLocation(aliases.get(identifier(method))!.name), value, "")
}

/** Parsing the types of the SDK takes half a second: once for all tests. */
let shared: ReturnType<typeof promises> | undefined

const identifier = (method: string) => method.replaceAll(".", "_")

const methods = (client: object, prefix: string): ReadonlyArray<string> => [
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter((name) => name !== "constructor").map((name) =>
    `${prefix}${name}`
  ),
  ...Object.entries(client).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null && name !== "resend" && name !== "headers"
      ? methods(value, `${prefix}${name}.`)
      : []
  )
]

/** Where a value is not of a type. */
const mismatches = (checker: ts.TypeChecker, type: ts.Type, value: unknown, at: string): ReadonlyArray<string> => {
  const mismatch = [`${at}: ${JSON.stringify(value)} is not ${checker.typeToString(type)}`]
  const is = (flags: ts.TypeFlags) => (type.flags & flags) !== 0
  if (is(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return []
  if (type.isUnion()) {
    const all = type.types.map((member) => mismatches(checker, member, value, at))
    if (all.some((found) => found.length === 0)) return []
    return typeof value === "object" && value !== null ? closest(all, at) : mismatch
  }
  if (type.isLiteral()) return value === type.value ? [] : mismatch
  if (is(ts.TypeFlags.BooleanLiteral)) return `${value as string}` === checker.typeToString(type) ? [] : mismatch
  if (is(ts.TypeFlags.Null)) return value === null ? [] : mismatch
  if (is(ts.TypeFlags.Undefined)) return value === undefined ? [] : mismatch
  if (is(ts.TypeFlags.String)) return typeof value === "string" ? [] : mismatch
  if (is(ts.TypeFlags.Number)) return typeof value === "number" ? [] : mismatch
  if (!is(ts.TypeFlags.Object | ts.TypeFlags.Intersection) || typeof value !== "object" || value === null) {
    return mismatch
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    return Array.isArray(value)
      ? value.flatMap((one) => mismatches(checker, item!, one, `${at}[]`))
      : mismatch
  }
  return fields(checker, type, value as Readonly<Record<string, unknown>>, at)
}

/**
 * The problems of the member of a union that an object is meant to be: one that is an object, too, and whose own fields fit
 * best.
 */
const closest = (all: ReadonlyArray<ReadonlyArray<string>>, at: string): ReadonlyArray<string> => {
  const isWhole = (problem: string) => problem.startsWith(`${at}: `)
  const own = (problems: ReadonlyArray<string>) =>
    problems.filter((problem) => !problem.slice(at.length + 1).split(":")[0]!.includes(".")).length
  return [...all].sort((a, b) => Number(a.some(isWhole)) - Number(b.some(isWhole)) || own(a) - own(b))[0] ?? []
}

const fields = (checker: ts.TypeChecker, type: ts.Type, value: Readonly<Record<string, unknown>>, at: string) => {
  const nested = (name: string) => at === "" ? name : `${at}.${name}`
  const known = checker.getPropertiesOfType(type)
  const others = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  const names = new Set(known.map(({ name }) => name))
  return [
    ...known.flatMap((property) =>
      value[property.name] === undefined && (property.flags & ts.SymbolFlags.Optional) !== 0
        ? []
        : mismatches(checker, checker.getTypeOfSymbol(property), value[property.name], nested(property.name))
    ),
    ...(others === undefined ?
      [] :
      Object.entries(value).flatMap(([name, field]) =>
        names.has(name) ? [] : mismatches(checker, others, field, nested(name))
      ))
  ]
}
