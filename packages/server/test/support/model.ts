/** A naive list: everything that was ever in it, oldest first, and what still is. */
export class Model {
  private readonly ever: Array<string> = []
  private readonly here = new Set<string>()

  has(id: string): boolean {
    return this.here.has(id)
  }

  /** An item that is or was in the list. */
  pick(which: number): string | undefined {
    return this.ever[which % this.ever.length]
  }

  add(id: string): void {
    if (!this.ever.includes(id)) this.ever.push(id)
    this.here.add(id)
  }

  remove(id: string): void {
    this.here.delete(id)
  }

  page(request: {
    readonly after?: string | undefined
    readonly before?: string | undefined
    readonly limit: number | undefined
  }): { readonly ids: ReadonlyArray<string>; readonly has_more: boolean } {
    const { after, before, limit = Infinity } = request
    const newestFirst = this.ever.slice().reverse()
    const start = after === undefined ? 0 : newestFirst.indexOf(after) + 1
    const end = before === undefined ? newestFirst.length : newestFirst.indexOf(before)
    const candidates = newestFirst.slice(start, end).filter((id) => this.here.has(id))
    const ids = before === undefined ? candidates.slice(0, limit) : candidates.slice(-limit)
    return { ids, has_more: candidates.length > limit }
  }
}
