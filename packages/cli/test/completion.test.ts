import { assert, describe, it } from "@effect/vitest"
import { root } from "@mailstream/cli/commands/Commands"
import * as Lists from "@mailstream/cli/mirror/Lists"
import * as Command from "@mailstream/cli/usage/Command"
import { Mirror } from "@mailstream/mirror"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inside } from "./support/inside.ts"
import { directory, slow } from "./support/program.ts"
import { hasTerminals, session } from "./support/terminal.ts"

/** What is typed before the key for all completions, and the words that are then in the line, besides the first ones. */
const cases: ReadonlyArray<readonly [typed: string, ...words: ReadonlyArray<string>]> = [
  ["dom", "domains"],
  ["contacts ", "contacts", ...Command.find(root, ["contacts"]).command.commands.map(Command.nameOf).sort()],
  ["contacts get ID --form", "contacts", "get", "ID", "--format"],
  ["contacts join ID SEGMENT --ret", "contacts", "join", "ID", "SEGMENT", "--retry"],
  ["contacts update ID --unsubs", "contacts", "update", "ID", "--unsubscribed"],
  ["contacts update ID --no", "contacts", "update", "ID", "--no-unsubscribed"],
  ["contacts update ID --clear first-name,", "contacts", "update", "ID", "--clear", "first-name,last-name"],
  ["webhooks update ID --status ", "webhooks", "update", "ID", "--status", "disabled", "enabled"],
  [
    "webhooks create --events domain.created,domain.d",
    "webhooks",
    "create",
    "--events",
    "domain.created,domain.deleted"
  ],
  ["segments create --name x --format i", "segments", "create", "--name", "x", "--format", "id"],
  ["suppressions list --origin b", "suppressions", "list", "--origin", "bounce"],
  ["contacts list --t", "contacts", "list", "--take"],
  ["contacts list --take 5 --wh", "contacts", "list", "--take", "5", "--whole"],
  ["contacts list --w", "contacts", "list", "--whole"],
  ["contacts list --format ", "contacts", "list", "--format", "csv", "json", "ndjson", "table"],
  ["contacts list --format=c", "contacts", "list", "--format=csv"],
  ["contacts list --retry ", "contacts", "list", "--retry", "none", "patient"],
  ["contacts list --columns id,e", "contacts", "list", "--columns", "id,email"],
  ["contacts list --output fil", "contacts", "list", "--output", "files/"],
  ["contacts list --output files/", "contacts", "list", "--output", "files/my mail.db", "files/out.csv"],
  ["contacts list --output=files/o", "contacts", "list", "--output=files/out.csv"],
  ["contacts list --base-url http://x --whol", "contacts", "list", "--base-url", "http://x", "--whole"],
  ["topics create --default-subscription ", "topics", "create", "--default-subscription", "opt_in", "opt_out"],
  ["campaign ", "campaign", "deliveries", "forget", "list", "recipients", "resolve", "run", "status"],
  ["campaign run news --once ", "campaign", "run", "news", "--once", "address", "contact"],
  ["campaign list --database sqlite:files/m", "campaign", "list", "--database", "sqlite:files/my mail.db"],
  ["sync ", "sync", "prune", "purge", "status"],
  ["sync --lists contacts,to", "sync", "--lists", "contacts,topics"],
  ["sync --lists segment-", "sync", "--lists", "segment-contacts"],
  ["sync status --to sql", "sync", "status", "--to", "sqlite:"],
  ["sync status --to sqlite:files/m", "sync", "status", "--to", "sqlite:files/my mail.db"],
  ["serve --store mem", "serve", "--store", "memory"],
  ["changes temp", "changes", "templates"],
  ["worker --lists dom", "worker", "--lists", "domains"],
  ["cluster ", "cluster", "accounts", "status"],
  ["cluster accounts p", "cluster", "accounts", "pause"],
  ["cluster accounts r", "cluster", "accounts", "remove", "resume", "rotate"],
  ["cluster accounts add --key", "cluster", "accounts", "add", "--key-variable"],
  ["explain valid", "explain", "validation_error"],
  ["--log-level deb", "--log-level", "debug"],
  ["--log-level debug contacts li", "--log-level", "debug", "contacts", "list"],
  ["--completions ", "--completions", "bash", "fish", "zsh"],
  // Nothing is offered for a text.
  ["contacts list --after x", "contacts", "list", "--after", "x"]
]

const files = Effect.map(directory, (home) => {
  mkdirSync(join(home, "files"))
  writeFileSync(join(home, "files", "out.csv"), "")
  writeFileSync(join(home, "files", "my mail.db"), "")
  return home
})

const scriptFor = (shell: string) =>
  Effect.map(inside(["--completions", shell]), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual([code, stderr], [0, ""])
    return stdout
  })

/** In place of the program: it prints what it is given. */
const program = "mailstream() { local IFS='|'; printf '\\n@%s@\\n' \"$*\"; }"

interface Shell {
  readonly command: string
  /** What is typed first. */
  readonly setup: string
  /** Inserts all completions. */
  readonly key: string
}

const shells: Readonly<Record<"bash" | "zsh", Shell>> = {
  bash: {
    command: "bash --norc --noprofile -i",
    setup: "",
    key: "\u001b*"
  },
  zsh: {
    command: "zsh -f -i",
    setup: "autoload -U compinit; compinit -D; zle -C all complete-word _generic; bindkey '^Xa' all; " +
      "zstyle ':completion:all::::' completer _all_matches _complete; zstyle ':completion:all:*' insert true; " +
      "zstyle ':completion:all:*' old-matches true; unsetopt beep; ",
    key: "\u0018a"
  }
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0

/** A shell that is missing is said in the name of what is skipped. */
const titleOf = (shell: string): string =>
  isInstalled(shell) ? `in ${shell}` : `in ${shell}, which is not installed on this machine: nothing was tried`

describe("completions", () => {
  for (const [shell, { command, key, setup }] of Object.entries(shells)) {
    describe.skipIf(!hasTerminals || !isInstalled(shell))(titleOf(shell), () => {
      it.scopedLive("are commands, options, values and files", () =>
        Effect.gen(function*() {
          const home = yield* files
          writeFileSync(join(home, "script"), yield* scriptFor(shell))
          const { type, until } = yield* session(command, {
            columns: 300,
            cwd: home,
            env: { HOME: home, PS1: "> ", INPUTRC: "/dev/null", HISTFILE: "/dev/null" }
          })
          yield* type(`${setup}${program}; source ./script && mailstream ready\r`)
          yield* until(/@ready@/)
          for (const [typed, ...words] of cases) {
            yield* type(`mailstream ${typed}${key}\r`)
            const shown = yield* until(/@[^@]*@/)
            const found = /@([^@]*)@/.exec(shown)?.[1]?.split("|").map((word) => word.replace(/(?<=^files)\/?$/, "/"))
            assert.deepStrictEqual([typed, ...(found ?? [])], [typed, ...words])
          }
        }), slow)
    })
  }

  describe.skipIf(!isInstalled("fish"))(titleOf("fish"), () => {
    it.scoped("are commands, options, values and files", () =>
      Effect.gen(function*() {
        const home = yield* files
        writeFileSync(join(home, "script"), yield* scriptFor("fish"))
        // `complete -C` prints what the key would offer.
        const lines = cases.map(([typed]) => `echo "@"; complete -C 'mailstream ${typed}'`)
        const { stderr, stdout } = spawnSync("fish", ["-N", "-c", ["source ./script", ...lines].join("\n")], {
          cwd: home,
          env: { PATH: process.env["PATH"], HOME: home },
          encoding: "utf8"
        })
        assert.strictEqual(stderr, "")
        const offered = stdout.split("@\n").slice(1)
        for (const [index, [typed, ...words]] of cases.entries()) {
          const found = offered[index]!.split("\n").filter((line) => line !== "").map((line) => line.split("\t")[0])
          // What has been typed before the last word is not offered again.
          const before = typed.split(" ").length - 1
          const last = typed.split(" ").at(-1)
          assert.deepStrictEqual([typed, ...found], [typed, ...words.slice(before).filter((word) => word !== last)])
        }
      }), slow)
  })

  it.effect("name every list that can be copied, without colors", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(Lists.names, Mirror.names)
      for (const shell of ["bash", "zsh", "fish"]) {
        const script = yield* scriptFor(shell)
        assert.notMatch(script, /\u001b/)
      }
    }), slow)
})
