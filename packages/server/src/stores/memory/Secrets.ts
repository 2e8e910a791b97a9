/** The secrets of the API keys of all accounts, by the prefix that they are looked up by. */
import { prefixOf, type Secret } from "../StoreService.ts"

export class Secrets {
  private readonly byPrefix = new Map<string, ReadonlyArray<Secret>>()

  find(prefix: string): ReadonlyArray<Secret> {
    return this.byPrefix.get(prefix) ?? []
  }

  get(hash: string): Secret | undefined {
    return this.find(prefixOf(hash)).find((secret) => secret.hash === hash)
  }

  add(secret: Secret): void {
    const prefix = prefixOf(secret.hash)
    this.byPrefix.set(prefix, [...this.find(prefix), secret])
  }

  /** Forgets the secrets of deleted keys. */
  revoke(account: string, ids: ReadonlySet<string>): void {
    for (const [prefix, secrets] of this.byPrefix) {
      const kept = secrets.filter((secret) => secret.account !== account || !ids.has(secret.id))
      if (kept.length === 0) this.byPrefix.delete(prefix)
      else this.byPrefix.set(prefix, kept)
    }
  }
}
