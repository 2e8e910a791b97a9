import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("../..", import.meta.url))

type Graph = ReadonlyMap<string, ReadonlyArray<string>>

/** What a module imports, of values and of types, at once or when it is needed. */
const importsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^(?!\s*(?:\*|\/\/)).*?\b(?:from|import\()\s*"([^"]+)"/gm), ([, target = ""]) => target)

/** The modules of a package, and what each imports of the others. */
const modulesOf = (name: string): Graph => {
  const src = join(packages, name, "src")
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
  return new Map(files.map((file) => [
    file,
    importsIn(readFileSync(join(src, file), "utf8"))
      .filter((target) => target.startsWith("."))
      .map((target) => posix.join(dirname(file), target))
  ]))
}

/** The sets of nodes that lead to each other: every circle is in one of them. */
const circlesIn = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const visit = (node: string): void => {
      for (const next of graph.get(node) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        visit(next)
      }
    }
    visit(from)
    return seen
  }
  const all = new Map([...graph.keys()].map((node) => [node, reachable(node)]))
  const circles = [...all].flatMap(([node, seen]) =>
    seen.has(node) ? [[...seen].filter((other) => all.get(other)?.has(node)).sort()] : []
  )
  return circles.filter((circle, index) => circles.findIndex(([first]) => first === circle[0]) === index)
}

const names = readdirSync(packages).filter((name) => existsSync(join(packages, name, "src")))

describe("circles", () => {
  it("are found, also through several modules and by types alone", () => {
    const graph = new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b", "d"]], ["d", []], ["e", ["e"]]])
    assert.deepStrictEqual(circlesIn(graph), [["b", "c"], ["e"]])
    assert.deepStrictEqual(
      importsIn([
        `import type { A } from "./a.ts"`,
        `import {\n  type B\n} from "./b.ts"`,
        `export * from "./c.ts"`,
        `const d = Effect.promise(() => import("./d.ts"))`,
        ` * import { E } from "./e.ts"`
      ].join("\n")),
      ["./a.ts", "./b.ts", "./c.ts", "./d.ts"]
    )
  })

  it.each(names)("do not exist among the modules of %s", (name) => {
    const modules = modulesOf(name)
    assert.isNotEmpty(modules)
    assert.deepStrictEqual(circlesIn(modules), [])
  })

  it("do not exist among packages", () => {
    const graph = new Map(names.map((name) => {
      const src = join(packages, name, "src")
      const targets = readdirSync(src, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => importsIn(readFileSync(join(src, file), "utf8")))
        .flatMap((target) => /^@mailstream\/([\w-]+)/.exec(target)?.[1] ?? [])
      return [name, [...new Set(targets)].filter((target) => target !== name)]
    }))
    assert.include(graph.get("http") ?? [], "core")
    assert.deepStrictEqual(circlesIn(graph), [])
  })
})
