import { assert, describe, it } from "@effect/vitest"
import { ApiKey, Resource, SegmentId, Timestamp } from "@mailstream/core"
import * as SampleData from "@mailstream/server/SampleData"
import { DateTime, Either, FastCheck, Schema } from "effect"
import * as Lists from "../src/stores/Lists.ts"
import * as Rules from "../src/stores/Rules.ts"

const members = Lists.membersOf(SegmentId.make("7b5c7cc9-4f0d-4d8f-9d0f-6a1a3b1f0001"))
const id = FastCheck.option(FastCheck.uuid(), { nil: undefined })
const reasonOf = (result: Either.Either<unknown, { readonly _tag: string; readonly reason?: string }>) =>
  Either.isRight(result) ? "allowed" : result.left.reason ?? result.left._tag

describe("the rules of every store", () => {
  it("need the owner first, then unused ids, known contacts or a known cursor", () =>
    FastCheck.assert(FastCheck.property(FastCheck.boolean(), id, (hasOwner, found) => {
      const expected = (reason: string) => !hasOwner ? "Unknown" : found === undefined ? "allowed" : reason
      assert.strictEqual(reasonOf(Rules.mayInsert(members, { hasOwner, used: found })), expected("Duplicate"))
      assert.strictEqual(reasonOf(Rules.mayJoin(members, { hasOwner, unknown: found })), expected("Unknown"))
      const read = Rules.mayRead(members, { after: found }, { hasOwner, hasCursor: found === undefined })
      assert.strictEqual(reasonOf(read), hasOwner ? expected("UnknownCursor") : "not_found")
    })))

  it("let only one account use a secret", () =>
    FastCheck.assert(FastCheck.property(FastCheck.string(), FastCheck.option(FastCheck.string()), (account, owner) => {
      const result = Rules.mayUseSecret(account, owner ?? undefined)
      assert.strictEqual(reasonOf(result), owner === null || owner === account ? "allowed" : "Duplicate")
    })))

  it("encode every item under its own id, and refuse two with the same one", () =>
    FastCheck.assert(FastCheck.property(FastCheck.array(FastCheck.nat(20)), (numbers) => {
      const contacts = numbers.map((number) => SampleData.contact(number))
      const encoded = Rules.encode(Resource.contacts, contacts)
      if (new Set(numbers).size < numbers.length) return assert.strictEqual(reasonOf(encoded), "Duplicate")
      assert.deepStrictEqual(
        Either.getOrThrow(encoded).map(({ id, json }) => ({ id, item: JSON.parse(json) })),
        contacts.map((item) => ({ id: item.id, item: Schema.encodeSync(Resource.contacts.item)(item) }))
      )
    })))

  it("change nothing of a key but when it was used", () =>
    FastCheck.assert(FastCheck.property(FastCheck.nat(1000), FastCheck.nat(), (number, millis) => {
      const key = SampleData.apiKey(number)
      const at = Timestamp.fromDateTime(DateTime.unsafeMake(millis))
      const used = Rules.usedAt(JSON.stringify(Schema.encodeSync(ApiKey)(key)), at)
      assert.deepStrictEqual(JSON.parse(used), { ...Schema.encodeSync(ApiKey)(key), last_used_at: at })
    })))

  it("know every list by one key, and its owner", () =>
    FastCheck.assert(FastCheck.property(FastCheck.uniqueArray(FastCheck.uuid()), (ids) => {
      for (const { name } of Resource.all) {
        const owned = Lists.ownedBy(name, ids)
        assert.strictEqual(new Set(owned.map(Lists.keyOf)).size, owned.length)
        for (const list of owned) assert.deepStrictEqual<unknown>(Lists.ownerOf(list), { list: name, id: list.within })
      }
    })))
})
