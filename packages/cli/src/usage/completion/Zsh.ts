/** The completion script for zsh. */
import type { Values } from "../Value.ts"
import * as Tree from "./Tree.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In the description of an option, brackets and colons have a meaning. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&")

const actionOf = (values: Values): string => {
  switch (values._tag) {
    case "Any":
      return " "
    case "File":
      return "_files"
    case "OneOf":
      return `(${values.words.join(" ")})`
    case "Several":
      return `{_values -s , value ${values.words.join(" ")}}`
    case "Location":
      return `{_mailstream_location ${values.words.join(" ")}}`
  }
}

const optionOf = ({ description, name, values }: Tree.Choice): string => {
  const text = `[${escaped(description)}]`
  if (values === undefined) return quoted(`${name}${text}`)
  return quoted(`${name}=${text}:value:${escapedAction(actionOf(values))}`)
}

/** Colons in an action would end it. */
const escapedAction = (action: string): string => action.replaceAll(":", "\\:")

const commandsOf = (tree: Tree.Tree): string =>
  Tree.grouped(tree, ({ commands, options }) => [{ commands, options }]).map(
    ({ paths, thing: { commands, options } }) =>
      [
        `    (${paths.map(quoted).join("|")})`,
        `      commands=(${commands.map(({ name, summary }) => `\n        ${quoted(`${name}:${summary}`)}`).join("")})`,
        `      options=(${options.map((option) => `\n        ${optionOf(option)}`).join("")})`,
        "      ;;"
      ].join("\n")
  ).join("\n")

export const script = (tree: Tree.Tree): string =>
  `#compdef mailstream
# Completions of mailstream for zsh. To have them in every shell, put them into a directory of $fpath:
#   mailstream --completions zsh > "\${fpath[1]}/_mailstream"
# or add this line to ~/.zshrc, after compinit:
#   source <(mailstream --completions zsh)

_mailstream_location() {
  if compset -P sqlite:; then
    _files
  else
    compadd -S '' -- "$@"
  fi
}

_mailstream() {
  local state line path_=''
  local -a commands options
  integer i=2 last=1

  # The command is what comes before the first option; the log level may come first.
  while ((i < CURRENT)); do
    case $words[i] in
      --log-level) ((i++)) ;;
      --log-level=*) ;;
      -*) break ;;
      *)
        case $path_ in
          # What follows are its arguments.
          (${Tree.withArguments(tree).map(quoted).join("|")}) ;;
          *) path_+="\${path_:+ }$words[i]"; last=$i ;;
        esac
        ;;
    esac
    ((i++))
  done

  case $path_ in
${commandsOf(tree)}
    *) return 1 ;;
  esac

  # Commands, unless an option comes before.
  if (($#commands > 0 && i == CURRENT)) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
  else
    # The last word of the command takes the place of the program.
    words=("\${(@)words[last,-1]}")
    ((CURRENT -= last - 1))
    _arguments $options '*:argument:( )'
  fi
}

if [[ $funcstack[1] == _mailstream ]]; then
  _mailstream "$@"
else
  compdef _mailstream mailstream
fi
`
