import { assert, describe, it } from "@effect/vitest"
import {
  ContactId,
  Page,
  PageRequest,
  Position,
  ReceivedEmailId,
  Resource,
  type SegmentId,
  TemplateId,
  type ValidationError
} from "@mailstream/core"
import { Arbitrary, Either, FastCheck as fc, JSONSchema, pipe, Schema } from "effect"

const id = ContactId.make("e169aa45-1ecf-4183-9955-b1499d5701d3")

describe("PageRequest", () => {
  const rejectionFor = <Id extends string>(ids: Schema.Schema<Id, string>) => (request: unknown) =>
    Either.match(PageRequest.validate(ids)(request as PageRequest.PageRequest<Id>), {
      onLeft: (error) => [error._tag, error.statusCode, error.message],
      onRight: () => undefined
    })

  const rejection = rejectionFor(ContactId)

  it("accepts every limit from 1 to 100, and one cursor", () => {
    for (let limit = 1; limit <= 100; limit++) assert.isUndefined(rejection({ limit }))
    assert.isUndefined(rejection({}))
    assert.isUndefined(rejection({ limit: undefined, after: id, before: undefined }))
    assert.isUndefined(rejection({ limit: 3, before: id }))
  })

  it("rejects any other limit with the API's message", () => {
    const message = "The pagination limit must be a number between 1 and 100."
    for (const limit of [0, -1, 101, 1.5, NaN, Infinity, "20", null]) {
      assert.deepStrictEqual(rejection({ limit }), ["validation_error", 422, message])
    }
  })

  it("rejects both cursors at once", () => {
    const message = "You can only pass one of `before` or `after` for pagination."
    assert.deepStrictEqual(rejection({ after: id, before: id }), ["validation_error", 422, message])
  })

  it("rejects a malformed cursor: a UUID where the specification says so, any text elsewhere", () => {
    for (const cursor of ["", "x", `${id}0`, 7]) {
      assert.strictEqual(rejection({ after: cursor })?.[2], PageRequest.cursorMessage("after"))
      assert.strictEqual(rejection({ before: cursor })?.[2], PageRequest.cursorMessage("before"))
    }
    assert.isUndefined(rejectionFor(TemplateId)({ after: "x" }))
    assert.isDefined(rejectionFor(TemplateId)({ after: "" }))
  })

  it("documents and generates exactly the limits that it accepts", () => {
    assert.deepInclude(JSONSchema.make(PageRequest.Limit).$defs?.["Limit"], {
      type: "integer",
      minimum: 1,
      maximum: 100
    })
    fc.assert(fc.property(Arbitrary.make(PageRequest.Limit), (limit) => rejection({ limit }) === undefined))
  })

  it("rejects what is not an object", () => {
    for (const request of [null, 7, "after"]) {
      assert.deepStrictEqual(rejection(request), ["validation_error", 422, "The request for a page must be an object."])
    }
  })

  it("documents each parameter of a URL query, and what a limit defaults to", () => {
    const documented = (defaultLimit?: number) =>
      JSONSchema.make(PageRequest.query(ContactId, defaultLimit)) as JSONSchema.JsonSchema7Object
    const limit = { type: "integer", minimum: 1, maximum: 100 }
    const { properties } = documented()
    assert.deepStrictEqual<unknown>(properties["limit"], {
      ...limit,
      description: "The maximum number of items. Without it, all items are in one response."
    })
    assert.deepStrictEqual<unknown>(documented(20).properties["limit"], {
      ...limit,
      description: "The maximum number of items.",
      default: 20
    })
    for (const [parameter, where] of [["after", "starts after it"], ["before", "ends before it"]] as const) {
      assert.include(properties[parameter]?.description, `The id of an item: the page ${where}`)
    }
  })

  it("decodes from a URL query, in which a limit consists of digits only", () => {
    const query = PageRequest.query(ContactId)
    const decode = Schema.decodeUnknownEither(query)
    assert.deepStrictEqual(decode({ limit: "100", after: id }), Either.right({ limit: 100, after: id }))
    assert.deepStrictEqual(Schema.encodeSync(query)({ limit: 7, before: id }), { limit: "7", before: id })
    for (const limit of ["", "0", "101", "abc", "1.5", "1e2", "0x10", "+5", " 5", "-1", ["1", "2"]]) {
      const error = Either.getOrThrow(Either.flip(decode({ limit })))
      assert.include(error.message, PageRequest.limitMessage, String(limit))
    }
  })
})

describe("Position", () => {
  const schema = Position.schema(ContactId)

  it("keeps its fallbacks and its owner when it is stored", () => {
    const position: Position.Position<ContactId> = { ...Position.before(id, [id]), within: "s-1" }
    const text = Schema.encodeSync(Schema.parseJson(schema))(position)
    assert.deepStrictEqual(Schema.decodeSync(Schema.parseJson(schema))(text), position)
  })

  it("omits what it does not have: it is not undefined", () => {
    const decode = Schema.decodeUnknownEither(schema)
    assert.isTrue(Either.isRight(decode(Position.after(id))))
    for (const field of ["fallbacks", "within"]) {
      assert.isTrue(Either.isLeft(decode({ ...Position.after(id), [field]: undefined })))
    }
  })
})

describe("Page.fromItems", () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `item-${index}` }))
  const page = (count: number, request: PageRequest.PageRequest) =>
    Either.map(Page.fromItems(items(count), request), ({ data, has_more }) => [data.map(({ id }) => id), has_more])

  it("takes the items first or last", () => {
    assert.deepStrictEqual(
      pipe(items(3), Page.fromItems({ limit: 2 })),
      Page.fromItems(items(3), { limit: 2 })
    )
  })

  it("returns everything without a limit", () => {
    assert.deepStrictEqual(page(3, {}), Either.right([["item-0", "item-1", "item-2"], false]))
    assert.deepStrictEqual(page(0, {}), Either.right([[], false]))
  })

  it("has the newest item first in both directions and excludes the cursor", () => {
    assert.deepStrictEqual(page(5, { limit: 2 }), Either.right([["item-0", "item-1"], true]))
    assert.deepStrictEqual(page(5, { limit: 2, after: "item-1" }), Either.right([["item-2", "item-3"], true]))
    assert.deepStrictEqual(page(5, { limit: 2, after: "item-2" }), Either.right([["item-3", "item-4"], false]))
    assert.deepStrictEqual(page(5, { limit: 2, before: "item-4" }), Either.right([["item-2", "item-3"], true]))
    assert.deepStrictEqual(page(5, { limit: 2, before: "item-2" }), Either.right([["item-0", "item-1"], false]))
    assert.deepStrictEqual(page(5, { before: "item-2" }), Either.right([["item-0", "item-1"], false]))
  })

  it("rejects a cursor that matches no item", () => {
    const error = Either.getOrThrow(Either.flip(page(5, { after: "item-9" })))
    assert.strictEqual(error._tag, "not_found")
    assert.strictEqual(error.statusCode, 404)
  })

  it("visits every item once, in both directions", () => {
    fc.assert(fc.property(fc.nat(50), fc.integer({ min: 1, max: 60 }), (count, limit) => {
      const all = items(count)
      const forward: Array<string> = []
      for (let request: PageRequest.PageRequest | undefined = { limit }; request !== undefined;) {
        const page: Page.Page<{ readonly id: string }> = Either.getOrThrow(Page.fromItems(all, request))
        forward.push(...page.data.map(({ id }) => id))
        request = page.has_more ? { limit, after: page.data.at(-1)!.id } : undefined
      }
      assert.deepStrictEqual(forward, all.map(({ id }) => id))
      if (count === 0) return
      const backward: Array<string> = [all.at(-1)!.id]
      for (let request: PageRequest.PageRequest | undefined = { limit, before: backward[0]! }; request !== undefined;) {
        const page: Page.Page<{ readonly id: string }> = Either.getOrThrow(Page.fromItems(all, request))
        backward.unshift(...page.data.map(({ id }) => id))
        request = page.has_more ? { limit, before: page.data[0]!.id } : undefined
      }
      assert.deepStrictEqual(backward, forward)
    }))
  })
})

describe("Resource.path", () => {
  const ofSegment = (segment_id: string): Either.Either<string, ValidationError> =>
    Resource.path(Resource.contacts, { segment_id: segment_id as SegmentId })

  it("puts a filter into the path", () => {
    assert.strictEqual(Either.getOrThrow(Resource.path(Resource.contacts, undefined)), "/contacts")
    assert.strictEqual(Either.getOrThrow(ofSegment("s-1")), "/segments/s-1/contacts")
    assert.strictEqual(
      Either.getOrThrow(Resource.path(Resource.receivedEmailAttachments, { email_id: ReceivedEmailId.make("e-1") })),
      "/emails/receiving/e-1/attachments"
    )
  })

  it("rejects an empty filter, which would select everything, and one that changes the path", () => {
    for (const segment of ["", ".", "..", "\ud800", null, 5]) {
      const error = Either.getOrThrow(Either.flip(ofSegment(segment as string)))
      assert.deepStrictEqual([error._tag, error.statusCode], ["validation_error", 422])
    }
    assert.isTrue(Either.isLeft(Resource.path(Resource.contacts, {} as Resource.SegmentFilter)))
    for (const missing of [{}, undefined] as ReadonlyArray<unknown>) {
      const path = Resource.path(Resource.receivedEmailAttachments, missing as Resource.ReceivedEmailFilter)
      assert.include(Either.getOrThrow(Either.flip(path)).message, "`email_id`")
    }
  })

  it("takes the address of a contact in place of its id", () => {
    const id = ContactId.make("00000000-0000-4000-8000-000000000001")
    for (
      const [resource, end] of [[Resource.segments, "segments"], [Resource.contactTopics, "topics"]] as const
    ) {
      const path = (contact_id: Resource.ContactFilter["contact_id"]): Either.Either<string, ValidationError> =>
        Resource.path(resource, { contact_id })
      assert.deepStrictEqual(path(id), Either.right(`/contacts/${id}/${end}`))
      assert.deepStrictEqual(
        path({ email: "a+b/c@example.com" }),
        Either.right(`/contacts/a%2Bb%2Fc%40example.com/${end}`)
      )
      for (const wrong of [{ email: "" }, { email: "ada" }, {}, "ada@example.com", null] as ReadonlyArray<unknown>) {
        assert.strictEqual(
          Either.getOrThrow(Either.flip(path(wrong as ContactId))).message,
          "The filter `contact_id` must be the id of one contact, or `{ email }`."
        )
      }
    }
    const ada = { contact_id: { email: "ada@example.com" } }
    assert.strictEqual(Resource.selection(Resource.segments, ada), "ada@example.com")
  })

  it("keeps its structure, whatever the id", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), (segment) => {
      const path = ofSegment(segment)
      if (Either.isLeft(path)) return
      const url = new URL(`http://localhost${path.right}`)
      assert.deepStrictEqual([url.search, url.hash], ["", ""])
      const [, segments, encoded, contacts, ...rest] = url.pathname.split("/")
      assert.deepStrictEqual([segments, contacts, rest], ["segments", "contacts", []])
      assert.strictEqual(decodeURIComponent(encoded!), segment)
    }))
  })
})
