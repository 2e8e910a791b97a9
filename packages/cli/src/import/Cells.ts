/** The cells of one record of CSV. */

/** What may separate cells, the most likely one first. */
export const separators = [",", ";", "\t"] as const

export type Separator = typeof separators[number]

export interface Cells {
  readonly cells: ReadonlyArray<string>
  /** What is wrong with the quotes, if anything; then the cells are a guess. */
  readonly problem: string | undefined
}

const afterQuote = "there is text after the closing quote of a cell; inside quotes, write a quote as two"

const unclosed = "a quoted cell is not closed"

/** One cell, from its first character to the separator or the end. */
interface Cell {
  readonly text: string
  readonly end: number
  readonly problem?: string | undefined
}

const ending = (text: string, separator: Separator, from: number): number => {
  const end = text.indexOf(separator, from)
  return end === -1 ? text.length : end
}

/** A cell whose first quote is before `from`. */
const quoted = (text: string, separator: Separator, from: number): Cell => {
  let cell = ""
  for (let index = from;;) {
    const quote = text.indexOf("\"", index)
    if (quote === -1) return { text: cell + text.slice(index), end: text.length, problem: unclosed }
    cell += text.slice(index, quote)
    if (text[quote + 1] !== "\"") {
      const end = ending(text, separator, quote + 1)
      const rest = text.slice(quote + 1, end)
      return rest.trim() === "" ? { text: cell, end } : { text: cell + rest, end, problem: afterQuote }
    }
    cell += "\""
    index = quote + 2
  }
}

/** The cells of a record, without its line break. Spaces around quotes are ignored. */
export const parse = (text: string, separator: Separator): Cells => {
  if (!text.includes("\"")) return { cells: text.split(separator), problem: undefined }
  const cells: Array<string> = []
  let problem: string | undefined
  for (let start = 0; start <= text.length;) {
    let begin = start
    while (text[begin] === " ") begin++
    const end = ending(text, separator, start)
    const cell: Cell = text[begin] === "\"" ? quoted(text, separator, begin + 1) : { text: text.slice(start, end), end }
    cells.push(cell.text)
    problem ??= cell.problem
    start = cell.end + 1
  }
  return { cells, problem }
}

/** What separates the cells of a header: what makes the most columns of it. */
export const separatorOf = (header: string): Separator => {
  const columns = (separator: Separator) => {
    const { cells, problem } = parse(header, separator)
    return problem === undefined ? cells.length : 0
  }
  return separators.reduce((best, separator) => columns(separator) > columns(best) ? separator : best)
}
