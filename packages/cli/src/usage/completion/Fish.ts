/** The completion script for fish, 3.0 or later. */
import type { Values } from "../Value.ts"
import * as Tree from "./Tree.ts"

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`

const valueOf = (values: Values): string => {
  switch (values._tag) {
    case "Any":
      return "-x"
    case "File":
      return "-r -F"
    case "OneOf":
      return `-x -a ${quoted(values.words.join(" "))}`
    case "Several":
      return `-x -a ${quoted(`(__mailstream_several ${values.words.join(" ")})`)}`
    case "Location":
      return `-x -a ${quoted(`(__mailstream_location ${values.words.join(" ")})`)}`
  }
}

const at = (paths: ReadonlyArray<string>, tree: Tree.Tree): string =>
  paths.length === tree.length ? "" : ` -n ${quoted(`__mailstream_at ${paths.map((path) => `"${path}"`).join(" ")}`)}`

const commandsOf = (tree: Tree.Tree): ReadonlyArray<string> =>
  tree.flatMap((node) =>
    node.commands.map(({ name, summary }) =>
      `complete -c mailstream -n ${quoted(`__mailstream_needs "${node.path}"`)} -a ${name} -d ${quoted(summary)}`
    )
  )

const optionsOf = (tree: Tree.Tree): ReadonlyArray<string> =>
  Tree.grouped(tree, ({ options }) => options).map(({ paths, thing: { description, name, values } }) => {
    const option = name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
    const value = values === undefined ? "" : ` ${valueOf(values)}`
    return `complete -c mailstream${at(paths, tree)} ${option}${value} -d ${quoted(description)}`
  })

export const script = (tree: Tree.Tree): string =>
  `# Completions of mailstream for fish. To have them in every shell:
#   mailstream --completions fish > ~/.config/fish/completions/mailstream.fish

# The command is what comes before the first option; the log level may come first. Then come the number of words after it.
function __mailstream_typed
  set -l typed (commandline -opc)
  set -l path
  set -e typed[1]
  while set -q typed[1]
    switch $typed[1]
      case --log-level
        set -e typed[1]
      case '--log-level=*'
      case '-*'
        break
      case '*'
        # What follows some commands are their arguments.
        contains -- "$path" ${Tree.withArguments(tree).map((path) => `"${path}"`).join(" ")}; or set -a path $typed[1]
    end
    set -e typed[1]
  end
  echo (string join ' ' -- $path)
  count $typed
end

# Whether the command is one of these.
function __mailstream_at
  contains -- (__mailstream_typed)[1] $argv
end

# Whether the command is this one, and no option has been typed.
function __mailstream_needs
  set -l typed (__mailstream_typed)
  test "$typed[1]" = "$argv[1]" -a "$typed[2]" = 0
end

# What has been typed of a value.
function __mailstream_value
  string replace -r -- '^--[^=]*=' '' (commandline -ct)
end

function __mailstream_several
  set -l typed (__mailstream_value | string match -r -- '^.*,')
  for word in $argv
    contains -- $word (string split , -- "$typed"); or echo "$typed$word"
  end
end

function __mailstream_location
  set -l typed (__mailstream_value)
  if string match -q 'sqlite:*' -- $typed
    printf 'sqlite:%s\\n' (__fish_complete_path (string replace sqlite: '' -- $typed) | string replace -r '\\t.*' '')
  else
    printf '%s\\n' $argv
  end
end

complete -c mailstream -f
${[...commandsOf(tree), ...optionsOf(tree)].join("\n")}
`
