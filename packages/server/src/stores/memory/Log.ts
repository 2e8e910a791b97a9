/**
 * A list in memory: places in the order they were taken. The place of a deleted item stays empty.
 *
 * Long runs of empty places are skipped: each empty place can point to one further along, and every walk lengthens the
 * jumps it takes, so a page costs the same however much was deleted around it.
 */
export class Log {
  private readonly texts: Array<string | undefined>
  private readonly places = new Map<string, number>()
  private readonly older = new Map<number, number>()
  private readonly newer = new Map<number, number>()

  /** The texts of the places so far. */
  constructor(texts: Array<string | undefined> = []) {
    this.texts = texts
  }

  get length(): number {
    return this.texts.length
  }

  /** The place of an id, even if its item was deleted. */
  place(id: string): number | undefined {
    return this.places.get(id)
  }

  get(id: string): string | undefined {
    const place = this.places.get(id)
    return place === undefined ? undefined : this.texts[place]
  }

  append(id: string, text: string): void {
    this.places.set(id, this.texts.length)
    this.texts.push(text)
  }

  /** Puts a text at the place of its id, or at the next one. */
  put(id: string, text: string): void {
    const place = this.places.get(id)
    if (place === undefined) return this.append(id, text)
    // If this place was empty, jumps may skip it.
    if (this.texts[place] === undefined) {
      this.older.clear()
      this.newer.clear()
    }
    this.texts[place] = text
  }

  empty(id: string): void {
    const place = this.places.get(id)
    if (place !== undefined) this.texts[place] = undefined
  }

  /** The texts of all items, the oldest first. */
  *all(): Iterable<string> {
    for (const text of this.texts) if (text !== undefined) yield text
  }

  /**
   * Up to `limit` items that are accepted, starting at a place and stopping short of `until`, and the place to resume at, if
   * any.
   */
  walk(
    from: number,
    step: 1 | -1,
    limit: number,
    until = step === 1 ? this.texts.length : -1,
    accepts?: (text: string) => boolean
  ): { readonly texts: Array<string>; readonly next: number | undefined } {
    const texts: Array<string> = []
    for (let place = this.seek(from, step); step === 1 ? place < until : place > until;) {
      const text = this.texts[place]!
      if (accepts === undefined || accepts(text)) {
        if (texts.length === limit) return { texts, next: place }
        texts.push(text)
      }
      place = this.seek(place + step, step)
    }
    return { texts, next: undefined }
  }

  /** The first place at or past the given one that has an item; past either end, -1 or the length. */
  private seek(from: number, step: 1 | -1): number {
    const jumps = step === 1 ? this.newer : this.older
    const isEmpty = (place: number) => place >= 0 && place < this.texts.length && this.texts[place] === undefined
    if (!isEmpty(from)) return from
    let found = from
    while (isEmpty(found)) found = jumps.get(found) ?? found + step
    for (let place = from; place !== found;) {
      const next = jumps.get(place) ?? place + step
      jumps.set(place, found)
      place = next
    }
    return found
  }
}
