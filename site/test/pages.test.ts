import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, posix } from "node:path"
import * as Doors from "../../packages/cli/src/explain/Doors.ts"
import * as Explanations from "../../packages/cli/src/explain/Explanations.ts"
import * as Client from "../../packages/client/src/index.ts"
import type {
  AccountInUse,
  AccountsError,
  NoCluster,
  UnknownAccount,
  UnsuitableDatabase
} from "../../packages/cluster/src/index.ts"
import type {
  Deduplication,
  UnhandledEvent,
  UnreadableRequest,
  VerificationError
} from "../../packages/webhook/src/index.ts"
import * as Errors from "../generate/Errors.ts"
import * as Sources from "../generate/Sources.ts"
import { guides } from "../guides.ts"
import * as Links from "../links.ts"

const folder = join(Links.pages, "guides")

/** The text of each guide, by name. */
const texts = new Map(
  readdirSync(folder).map((name) => [basename(name, ".md"), readFileSync(join(folder, name), "utf8")])
)

const programsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^<<< (\S+\.ts)\{ts twoslash\}(?: \[.+\])?$/gm)].map(([, path = ""]) => join(folder, path))

interface Tab {
  readonly label: string | undefined
  readonly code: string
  readonly file?: string
}

/** The code in a text, and that of the programs that it shows. */
const tabsIn = (text: string): ReadonlyArray<Tab> =>
  [...text.matchAll(/^<<< (\S+\.ts)\{ts twoslash\}(?: \[(.+)\])?$|^```ts twoslash(?: \[(.+)\])?\n([^]*?)^```$/gm)].map(
    ([, file, labelOfFile, label, code = ""]) =>
      file === undefined
        ? { label, code }
        : { label: labelOfFile, code: readFileSync(join(folder, file), "utf8"), file }
  )

/** Whether code is for Effect 3, and all that it imports of Mailstream exists for Effect 4. */
const isPortable = (code: string): boolean => {
  const imported = [...code.matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name)
  const own = imported.filter((name) => name.startsWith("@mailstream/"))
  return imported.includes("effect") && own.length > 0 &&
    own.every((name) => /^@mailstream\/(core|http|stream)(\/|$)/.test(name))
}

describe("the guides", () => {
  it("are all listed, once", () => {
    assert.sameMembers(guides.flatMap(({ names }) => names), [...texts.keys()])
  })

  it("show programs that exist, and that are run by a test", () => {
    const tests = readdirSync(join(Links.root, "examples/test"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(Links.root, "examples/test", name), "utf8"))
      .join()
    for (const [name, text] of texts) {
      const programs = programsIn(text)
      assert.strictEqual(programs.length, text.match(/^<<<.*$/gm)?.length ?? 0, name)
      // What a terminal shows is tested with the program for it.
      if (name !== "terminal") assert.isAtLeast(programs.length, 1, name)
      for (const program of programs) {
        assert.isTrue(existsSync(program), program)
        const name = basename(program, ".ts")
        assert.isTrue(tests.includes(`it.scopedLive("${name}"`) || tests.includes(`both("${name}"`), program)
      }
    }
  })

  it("show code for both versions of Effect, side by side, unless it needs a package for Effect 3", () => {
    const seen = [...texts].flatMap(([name, text]) => {
      const groups = [...text.matchAll(/^::: code-group\n([^]*?)^:::$/gm)].map(([, group = ""]) => tabsIn(group))
      for (const [three, four, ...others] of groups) {
        assert.deepStrictEqual([three?.label, four?.label, others], ["Effect 3", "Effect 4", []], name)
        assert.notInclude(three!.code, "\"@mailstream/effect4", name)
        assert.include(four!.code, "\"@mailstream/effect4", name)
        // Programs of the same name are run by the same test.
        assert.strictEqual(basename(four!.file ?? ""), basename(three!.file ?? ""))
      }
      const alone = tabsIn(text.replaceAll(/^::: code-group\n[^]*?^:::$/gm, ""))
      // What is only for Effect 3 needs a package that is not for Effect 4, and the other way round.
      for (const { code } of alone) assert.isFalse(isPortable(code), `${name} has code without a tab:\n${code}`)
      return groups
    })
    assert.isAbove(seen.length, 15)
    assert.isTrue(isPortable("import { contacts } from \"@mailstream/stream\"\nimport { Effect } from \"effect\""))
    assert.isFalse(isPortable("import { Mirror } from \"@mailstream/mirror\"\nimport { Effect } from \"effect\""))
  })

  it("link to files of the repository that exist, and to passages that are in them", () => {
    const pages = new Map(Sources.pages([...texts.keys()].map((name) => join(folder, `${name}.md`))))
    assert.isTrue(pages.has("source/packages/stream/test/Walk.test.ts.md"))
    const walk = { href: "../../../packages/stream/test/Walk.test.ts", title: "no such test" }
    const file = Links.fileOf(join(folder, "first-walk.md"), walk)
    assert.strictEqual(file, "packages/stream/test/Walk.test.ts")
    assert.strictEqual(Links.problemOf(file!, walk), "packages/stream/test/Walk.test.ts does not contain: no such test")
    assert.strictEqual(Links.problemOf("packages/nothing.ts", walk), "packages/nothing.ts cannot be shown")
    const results = { href: "RESULTS.md#no-such-part", title: undefined }
    assert.strictEqual(
      Links.problemOf("benchmarks/RESULTS.md", results),
      "benchmarks/RESULTS.md has no heading: no-such-part"
    )
    // Only what is shown as code has lines that a link can lead to.
    for (const readme of ["packages/server/README.md", "packages/server", "benchmarks/RESULTS.md"]) {
      const passage = { href: readme, title: "#" }
      assert.strictEqual(Links.problemOf(readme, passage), `${readme} has no lines, but headings: #`)
    }
    const inbox = { href: "../../../packages/server/README.md#the-inbox", title: undefined }
    assert.strictEqual(Links.urlOf("packages/server/README.md", inbox), "/api/@mailstream/server/#the-inbox")
  })

  it("link to each other, and to errors that have a page", () => {
    for (const [name, text] of texts) {
      for (const { href } of Links.linksIn(text)) {
        const [path = ""] = href.split("#")
        const tag = /^\.\.\/e\/(\w+)\.md$/.exec(path)?.[1]
        if (tag !== undefined && tag !== "index") assert.property(Explanations.all, tag, name)
        if (path.startsWith("./")) assert.isTrue(existsSync(join(folder, path)), `${name}: ${href}`)
      }
    }
  })
})

describe("the benchmarks", () => {
  const page = readFileSync(join(Links.pages, "benchmarks.md"), "utf8")

  it("are shown as they were drawn, and every part is mentioned", () => {
    for (const { href, title } of Links.linksIn(page)) {
      const file = Links.fileOf(join(Links.pages, "benchmarks.md"), { href, title })
      if (file !== undefined) assert.isUndefined(Links.problemOf(file, { href, title }), href)
    }
    const parts = readdirSync(join(Links.root, "benchmarks/parts")).map((name) => basename(name, ".ts"))
    for (const part of parts) assert.match(page, new RegExp(`/${part}\\.svg\\)|#${part}\\)`), part)
  })
})

describe("the READMEs", () => {
  const read = (file: string): string => readFileSync(join(Links.root, file), "utf8")

  const readmes = [
    ".",
    "examples",
    "deploy",
    ...readdirSync(join(Links.root, "packages")).map((name) => `packages/${name}`)
  ]
    .map((folder) => posix.join(folder, "README.md"))
    .filter((file) => existsSync(join(Links.root, file)))

  const problems = (file: string, text: string): ReadonlyArray<string> =>
    Links.linksIn(text).filter(({ href }) => !/^([a-z]+:|#)/.test(href)).flatMap((link) => {
      const problem = Links.problemOf(posix.join(posix.dirname(file), link.href.replace(/#.*$/, "")), link)
      return problem === undefined ? [] : [`${file}: ${problem}`]
    })

  it("link to files that exist, and to headings that are in them", () => {
    assert.includeMembers(readmes, ["README.md", "packages/stream/README.md", "examples/README.md"])
    assert.deepStrictEqual(readmes.flatMap((file) => problems(file, read(file))), [])
    assert.deepStrictEqual(problems("README.md", "[a](packages/none) [b](packages/http#none) ![c](none.svg)"), [
      "README.md: packages/none cannot be shown",
      "README.md: packages/http has no heading: none",
      "README.md: none.svg cannot be shown"
    ])
  })

  it("say for each guarantee of SECURITY.md which test holds it", () => {
    assert.deepStrictEqual(problems("SECURITY.md", read("SECURITY.md")), [])
    const shown = Sources.pages([join(Links.root, "SECURITY.md")]).map(([path]) => path)
    assert.include(shown, "source/ci/supply/test/release.test.ts.md")
    assert.notMatch(shown.join("\n"), /\/\./, "VitePress leaves out what begins with a dot")
    const rows = [...read("SECURITY.md").matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1)
    assert.isAbove(rows.length, 15)
    for (const [, guarantee = "", tests = ""] of rows) {
      const files = Links.linksIn(tests).map(({ href }) => href)
      assert.isTrue(files.some((href) => /\.test\.ts$|^torture\/experiments\//.test(href)), guarantee)
    }
  })

  it("lead to every guide, from the first one", () => {
    for (const name of texts.keys()) assert.include(read("README.md"), `(site/pages/guides/${name}.md)`)
  })
})

describe("the errors", () => {
  const pages = new Map(Errors.pages())

  it("include those of packages that the program does not import, by type", () => {
    type Received =
      | VerificationError
      | UnhandledEvent
      | UnreadableRequest
      | Deduplication.DeduplicationError
    type Tag = (
      | Client.MailstreamError
      | AccountsError
      | NoCluster
      | UnknownAccount
      | AccountInUse
      | UnsuitableDatabase
      | Received
    )["_tag"]
    const explained: { readonly [tag in Tag]: Explanations.Explanation } = Explanations.all
    assert.isNotEmpty(explained.ClientClosed.meaning)
  })

  it("have a page each, with everything that `mailstream explain` says", () => {
    assert.sameMembers(
      [...pages.keys()].filter((path) => path !== "e/index.md"),
      Object.keys(Explanations.all).map((tag) => `e/${tag}.md`)
    )
    for (const [tag, { meaning, occurs, remedy }] of Object.entries(Explanations.all)) {
      const text = pages.get(`e/${tag}.md`)?.replaceAll("`", "") ?? ""
      for (const part of [meaning, occurs, remedy]) {
        assert.include(text, Doors.say(part, "name").replaceAll("`", ""), tag)
      }
      assert.include(pages.get("e/index.md"), `(./${tag}.md)`)
    }
  })

  it("show names as code", () => {
    assert.include(pages.get("e/validation_error.md"), "`MAILSTREAM_API_KEY`")
    assert.include(pages.get("e/OtherService.md"), "`mirror_lists`")
  })

  it("say what to do at every door, in its own words", () => {
    for (const tag of Explanations.tags) {
      const text = pages.get(`e/${tag}.md`) ?? ""
      const doors = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name)
      assert.deepStrictEqual(doors, Doors.of(Explanations.all[tag]).map((door) => Doors.names[door]), tag)
      assert.notMatch(text, /[{}]\w+\}/)
      // Options of the command line are nobody else's.
      if (doors.length > 1) assert.notMatch(text.replace(/^### Command line$[^]*/m, ""), /(?<![\w-])--[a-z]/, tag)
    }
    const text = pages.get("e/rate_limit_exceeded.md") ?? ""
    const advice = [...text.matchAll(/^- a patient retry policy: `(.+)`$/gm)].map(([, words]) => words)
    assert.deepStrictEqual(advice, [
      "retry: RetryPolicy.patient",
      "retry: \"patient\"",
      "retry: RetryPolicy.patient",
      "--retry patient"
    ])
  })

  it("of the client are explained for plain TypeScript", () => {
    const tags = [...Object.keys(Client), ...Object.keys(Client.apiErrors), "api_error"].filter(Explanations.isTag)
    assert.includeMembers(tags, ["not_found", "ClientClosed", "LockError"])
    for (const tag of tags) assert.include(Doors.of(Explanations.all[tag]), "plain", tag)
    // What `handler` answers with is not thrown.
    const answered = ["UnreadableRequest", "UnhandledEvent", "DeduplicationError"] as const
    assert.sameMembers(
      Explanations.tags.filter((tag) => Doors.of(Explanations.all[tag]).includes("plain")),
      [...tags, ...answered]
    )
  })
})

describe("what the documentation is built with", () => {
  const read = (name: string): string => readFileSync(join(Links.root, "site", name), "utf8")

  it("runs no install script but that of esbuild", () => {
    const settings = read("pnpm-workspace.yaml")
    assert.include(settings, "strictDepBuilds: true\n")
    assert.deepStrictEqual(/onlyBuiltDependencies:\n((?: {2}- .*\n)+)/.exec(settings)?.[1], "  - esbuild\n")
  })

  it("is locked, without a word about where it came from", () => {
    const lock = read("pnpm-lock.yaml")
    assert.include(lock, "\n  vitepress@")
    assert.notMatch(lock, /https?:\/\/|tarball:/)
  })
})
