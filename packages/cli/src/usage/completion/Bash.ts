/** The completion script for bash. It needs nothing but bash itself, 3.2 or later. */
import * as Tree from "./Tree.ts"

/** A pattern of `case` for some commands, together with what follows. */
const patterns = (paths: ReadonlyArray<string>, rest = ""): string =>
  paths.map((path) => `"${path}${rest}"`).join(" | ")

const wordsOf = (tree: Tree.Tree): string =>
  Tree.grouped(tree, (node) => [{
    commands: node.commands.map(({ name }) => name).join(" "),
    options: node.options.map(({ name }) => name).join(" ")
  }]).map(({ paths, thing: { commands, options } }) =>
    `    ${patterns(paths)}) commands="${commands}" options="${options}" ;;`
  ).join("\n")

const valuesOf = (tree: Tree.Tree): string =>
  Tree.grouped(
    tree,
    (node) => node.options.flatMap(({ name, values }) => values === undefined ? [] : [{ name, values }])
  ).map(
    ({ paths, thing: { name, values } }) => {
      // An option of every command needs no list of commands.
      const pattern = paths.length === tree.length ? `*" ${name}"` : patterns(paths, ` ${name}`)
      const words = "words" in values ? ` values="${values.words.join(" ")}"` : ""
      return `    ${pattern}) kind=${values._tag}${words} ;;`
    }
  ).join("\n")

/** Finds out which command is typed, up to the `case` that knows them. */
const findCommand = (tree: Tree.Tree): string =>
  `# Completions of mailstream for bash. To have them in every shell, add this line to ~/.bashrc:
#   source <(mailstream --completions bash)

_mailstream() {
  local IFS=$' \\t\\n' word="" last="" path="" option="" kind="" values="" commands="" options="" i
  local -a typed=()
  # Bash splits words at = and at colons: they are put together again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((\${#typed[@]} > 0)) && [[ $word == [=:]* || $last == *[=:] ]]; then
      typed[\${#typed[@]} - 1]+=$word
    else
      typed+=("$word")
    fi
    last=$word
  done
  local cur=\${typed[\${#typed[@]} - 1]} prev=""
  ((\${#typed[@]} > 1)) && prev=\${typed[\${#typed[@]} - 2]}

  # The command is what comes before the first option; the log level may come first.
  local before=" "
  for ((i = 0; i < \${#typed[@]} - 1; i++)); do
    case \${typed[i]} in
      --log-level) ((i++)) ;;
      --log-level=*) ;;
      -*) break ;;
      *)
        case $path in
          # What follows are its arguments.
          ${patterns(Tree.withArguments(tree))}) ;;
          *) path+="\${path:+ }\${typed[i]}" ;;
        esac
        ;;
    esac
  done
  local hasOptions=$((i < \${#typed[@]} - 1))
  for ((i = 0; i < \${#typed[@]} - 1; i++)); do before+="\${typed[i]%%=*} "; done

  case $path in`

/** Finds out which option the value is for, up to the `case` that knows them. */
const findOption = `    *) return ;;
  esac

  # The option whose value is typed, after a space or after =.
  local start=""
  if [[ $cur == --*=* ]]; then
    option=\${cur%%=*} cur=\${cur#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || start="$option="
  else
    option=$prev
  fi
  case "$path $option" in`

/** Offers what begins with what has been typed. */
const offer = `  esac

  COMPREPLY=()
  local IFS=$'\\n'
  case $kind in
    Any) return ;;
    OneOf) COMPREPLY=($(IFS=' '; compgen -W "$values" -- "$cur")) ;;
    File)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$cur"))
      ;;
    Several)
      local done="\${cur%"\${cur##*,}"}"
      compopt -o nospace 2>/dev/null
      for word in $(IFS=' '; compgen -W "$values" -- "\${cur##*,}"); do
        [[ ",$done" == *",$word,"* ]] || COMPREPLY+=("$done$word")
      done
      ;;
    Location)
      compopt -o nospace 2>/dev/null
      if [[ $cur == sqlite:* ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -P sqlite: -f -- "\${cur#sqlite:}"))
      else
        COMPREPLY=($(IFS=' '; compgen -W "$values" -- "$cur"))
      fi
      ;;
    *)
      # Commands first; options once one has been typed, or if there are no commands. Each can be given once.
      if [[ $cur != -* && -n $commands ]] && ((!hasOptions)); then
        COMPREPLY=($(IFS=' '; compgen -W "$commands" -- "$cur"))
      else
        for word in $(IFS=' '; compgen -W "$options" -- "$cur"); do
          [[ $before == *" $word "* ]] || COMPREPLY+=("$word")
        done
      fi
      ;;
  esac

  # Bash replaces only what comes after the last colon.
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local shown="\${cur%"\${cur##*:}"}"
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"$shown"}; done
  elif [[ -n $start ]]; then
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=$start\${COMPREPLY[i]}; done
  fi
}

complete -F _mailstream mailstream
`

export const script = (tree: Tree.Tree): string =>
  [findCommand(tree), wordsOf(tree), findOption, valuesOf(tree), offer].join("\n")
