/** The journal of one account in memory. */
import * as Effect from "effect/Effect"
import type { Book, Numbered, ReadJournal, Selection, WriteJournal } from "../Journal.ts"

/** Lines by id, in the order of their numbers, and the ids of those about each thing. */
class Lines {
  readonly byId = new Map<string, Numbered>()
  private readonly byAbout = new Map<string, Set<string>>()
  private last = 0

  set(line: Omit<Numbered, "seq">): void {
    const before = this.byId.get(line.id)
    if (before !== undefined) this.unlink(before)
    this.byId.set(line.id, { ...line, seq: before?.seq ?? ++this.last })
    if (line.about === null) return
    const ids = this.byAbout.get(line.about) ?? new Set()
    this.byAbout.set(line.about, ids.add(line.id))
  }

  delete(id: string): void {
    const line = this.byId.get(id)
    if (line === undefined) return
    this.unlink(line)
    this.byId.delete(id)
  }

  prune(before: number, keep: number): void {
    for (const { at, id, seq } of this.byId.values()) {
      if (at >= before && seq > this.last - keep) return
      this.delete(id)
    }
  }

  select({ about, after = -Infinity, before = Infinity, from, limit, until = Infinity }: Selection) {
    const found = [...about === undefined ? this.byId.values() : this.of(about)]
      .filter(({ at, seq }) => seq > after && seq < before && at <= until)
    if (from === "newest") found.sort((self, that) => that.seq - self.seq)
    else if (from === "earliest") found.sort((self, that) => self.at - that.at || self.seq - that.seq)
    else found.sort((self, that) => self.seq - that.seq)
    return found.slice(0, limit)
  }

  private *of(about: string): Iterable<Numbered> {
    for (const id of this.byAbout.get(about) ?? []) yield this.byId.get(id)!
  }

  private unlink({ about, id }: Numbered): void {
    if (about === null) return
    const ids = this.byAbout.get(about)
    ids?.delete(id)
    if (ids?.size === 0) this.byAbout.delete(about)
  }
}

export class Books {
  private readonly books = new Map<Book, Lines>()

  /** The lines of a book, in the order of their numbers. */
  all(book: Book): Iterable<Numbered> {
    return this.of(book).byId.values()
  }

  readonly reading: ReadJournal = {
    line: (book, id) => Effect.sync(() => this.of(book).byId.get(id)),
    lines: (book, selection) => Effect.sync(() => this.of(book).select(selection))
  }

  readonly writing: WriteJournal = {
    ...this.reading,
    write: (book, lines) => Effect.sync(() => lines.forEach((line) => this.of(book).set(line))),
    amend: (book, line) =>
      Effect.sync(() => {
        if (this.of(book).byId.has(line.id)) this.of(book).set(line)
      }),
    strike: (book, ids) => Effect.sync(() => ids.forEach((id) => this.of(book).delete(id))),
    prune: (book, { before, keep = Infinity }) => Effect.sync(() => this.of(book).prune(before, keep))
  }

  private of(book: Book): Lines {
    const lines = this.books.get(book) ?? new Lines()
    this.books.set(book, lines)
    return lines
  }
}
