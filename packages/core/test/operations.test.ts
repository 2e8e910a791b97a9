import { assert, describe, it } from "@effect/vitest"
import * as Core from "@mailstream/core"
import {
  ApiKeyOperations,
  EmailOperations,
  Operation,
  Operations,
  Resource,
  WebhookOperations,
  Wire
} from "@mailstream/core"
import { Arbitrary, Either, FastCheck as fc, Option, Redacted, Schema, SchemaAST } from "effect"
import { inspect } from "node:util"

const all = Object.entries(Core as unknown as Record<string, { readonly operations?: Operation.Table }>).flatMap((
  [module, { operations = {} }]
) =>
  /Operations$/.test(module) ? Object.entries(operations).map(([key, operation]) => ({ module, key, operation })) : []
)

/** The names of all types within a type. */
const namesOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const parts = SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)
    ? [ast.from]
    : SchemaAST.isUnion(ast)
    ? ast.types
    : SchemaAST.isTupleType(ast)
    ? [...ast.elements, ...ast.rest].map(({ type }) => type)
    : SchemaAST.isTypeLiteral(ast)
    ? [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    : []
  return [...Option.toArray(SchemaAST.getIdentifierAnnotation(ast)), ...parts.flatMap(namesOf)]
}

const withInput = all.filter(({ operation }) => operation.payload !== undefined)

/** The fields of an input, whatever is refined about it; none if it is not an object. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> =>
  SchemaAST.isRefinement(ast)
    ? fieldsOf(ast.from)
    : SchemaAST.isUnion(ast)
    ? ast.types.flatMap(fieldsOf)
    : SchemaAST.isTypeLiteral(ast)
    ? ast.propertySignatures
    : []

const inputOf = ({ payload }: Operation.Any): fc.Arbitrary<unknown> => Arbitrary.make(payload!)

/** What a message for people does not say. */
const typeName = /expected|\bfound\b|readonly|[A-Z]\w*Id\b|\b[A-Z][a-z]+[A-Z]/

/** Where the values of an input are, at any depth: `["topics", "0", "id"]`. */
const placesOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[key], ...placesOf(inner).map((place) => [key, ...place])])
    : []

/** An input with another value at one place. */
const replaced = (value: unknown, [key, ...rest]: ReadonlyArray<string>, by: unknown): unknown => {
  if (key === undefined) return by
  const inner = replaced((value as Record<string, unknown>)[key], rest, by)
  return Array.isArray(value)
    ? value.map((element: unknown, index) => `${index}` === key ? inner : element)
    : { ...value as object, [key]: inner }
}

const refusal = (operation: Operation.Any, input: unknown): string => {
  const result = Operation.input(operation, input)
  assert(Either.isLeft(result), JSON.stringify(input))
  assert.strictEqual(result.left._tag, "validation_error")
  return result.left.message
}

describe("the tables of operations", () => {
  it("use every schema of their modules", () => {
    const used = all.flatMap(({ operation: { params, payload, success } }) =>
      [...params.map(({ schema }) => schema), ...(payload === undefined ? [] : [payload]), success]
        .flatMap(({ ast }) => namesOf(ast))
    )
    for (const module of new Set(all.map(({ module }) => module))) {
      const { descriptions: _d, operations: _o, ...schemas } =
        (Core as unknown as Record<string, Record<string, unknown>>)[module]!
      for (const name of Object.keys(schemas)) assert.include(used, name, module)
    }
  })

  it("have one for every list but those of what cannot be named", () => {
    assert.sameMembers(
      [...new Set(all.map(({ module }) => module.replace(/Operations$/, "")))],
      Resource.all.map(({ item }) => `${item.ast.annotations[SchemaAST.IdentifierAnnotationId]}`)
        .filter((item) => item !== "ContactTopic" && item !== "BroadcastRecipient")
    )
  })

  it.each(all)("$module: $key is consistent", ({ key, operation }) => {
    const { gone, method, name, params, path, payload, repetition, status, summary } = operation
    assert.strictEqual(name, key)
    assert.match(summary, /^[A-Z].*\.$/)
    assert.deepStrictEqual([...path.matchAll(/:(\w+)/g)].map(([, field]) => field), params.map(({ field }) => field))
    assert.strictEqual(repetition === "read", method === "GET")
    assert.strictEqual(gone !== undefined, method === "DELETE")
    if (method === "PATCH") assert.strictEqual(repetition, "natural")
    if (method === "GET" || method === "DELETE") assert.isUndefined(payload)
    if (status === 201) assert.strictEqual(method, "POST")
    if (name === "create") assert.strictEqual(status, 201)
  })

  it("repeat what operations may be repeated", () => {
    const by = (class_: Operation.Repetition) =>
      all.filter(({ operation }) => operation.repetition === class_).map(({ key, module }) =>
        `${module.replace(/Operations$/, "")}.${key}`
      )
    assert.sameMembers(by("once"), [
      "ApiKey.create",
      "Broadcast.create",
      "Broadcast.duplicate",
      "ContactProperty.create",
      "Domain.create",
      "Segment.create",
      "Template.create",
      "Template.duplicate",
      "Topic.create",
      "Webhook.create",
      "Webhook.rotateSecret"
    ])
    assert.sameMembers(by("keyed"), ["Email.send", "Email.sendBatch"])
    assert.sameMembers(by("guarded"), ["Broadcast.send", "Broadcast.cancel", "Email.cancel", "Template.publish"])
  })
})

/** The fields of an input, or of the objects in it if it is a list. */
const fieldNamesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isTupleType(ast)
    ? ast.rest.flatMap(({ type }) => fieldNamesOf(type))
    : fieldsOf(ast).map(({ name }) => String(name))

describe("the descriptions of fields", () => {
  it.each(Resource.all.flatMap(({ name }) => Object.hasOwn(Operations.all, name) ? [{ name }] : []))(
    "of $name are sentences, one for each field of an input",
    ({ name }) => {
      const fields = Object.values(Operations.all[name]!).flatMap(({ payload }) =>
        payload === undefined ? [] : fieldNamesOf(SchemaAST.typeAST(payload.ast))
      )
      const descriptions = Operations.descriptions[name] ?? {}
      assert.sameMembers(Object.keys(descriptions), [...new Set(fields)])
      for (const [field, text] of Object.entries(descriptions)) {
        assert.match(text, /^[A-Z].*\.$/, field)
        assert.isAtLeast(text.split(" ").length, 4, field)
      }
    }
  )
})

describe("an input", () => {
  it.each(withInput)("of $module: $key that is valid is sent as it is", ({ operation }) => {
    fc.assert(fc.property(inputOf(operation), (input) => {
      const sent = Either.getOrThrow(Operation.input(operation, input))
      assert.deepStrictEqual(JSON.parse(JSON.stringify(sent)), JSON.parse(JSON.stringify(input ?? {})))
      // Nothing becomes null on the way.
      JSON.stringify(input, (_, value: unknown) => {
        if (typeof value === "number") assert.isTrue(Number.isFinite(value))
        return value
      })
    }))
  })

  it.each(withInput.filter(({ operation }) => fieldsOf(operation.payload!.ast).length > 0))(
    "of $module: $key has no unknown field, and every required one",
    ({ operation }) => {
      const fields = fieldsOf(operation.payload!.ast)
      fc.assert(fc.property(inputOf(operation), fc.stringMatching(/^[a-z]{3,12}$/), (input, name) => {
        if (input === undefined) return
        fc.pre(!fields.some((field) => field.name === name))
        const unknown = refusal(operation, { ...input as object, [name]: 1 })
        if (!SchemaAST.isUnion(operation.payload!.ast)) assert.strictEqual(unknown, `Unknown field \`${name}\`.`)
        for (const { isOptional, name } of fields) {
          const { [name as string]: _, ...rest } = input as Record<string, unknown>
          if (!isOptional && _ !== undefined && !SchemaAST.isUnion(operation.payload!.ast)) {
            assert.strictEqual(refusal(operation, rest), `Missing \`${String(name)}\` field.`)
          }
        }
      }))
      for (const wrong of [null, 1, "text", true, [[]]]) assert.notInclude(refusal(operation, wrong), "undefined")
    }
  )

  const updates = withInput.filter(({ operation }) =>
    operation.method === "PATCH" && fieldsOf(operation.payload!.ast).every(({ isOptional }) => isOptional) &&
    fieldsOf(operation.payload!.ast).length > 0
  )

  it.each(updates)("of $module: $key changes something: absent, null and undefined differ", ({ operation }) => {
    const fields = fieldsOf(operation.payload!.ast).map(({ name, type }) => ({ name: `${String(name)}`, type }))
    const message = refusal(operation, {})
    assert.match(message, /^Nothing to change: pass /)
    for (const { name, type } of fields) {
      assert.include(message, `\`${name}\``)
      refusal(operation, { [name]: undefined })
      const nullable = Schema.is(Schema.make(type))(null)
      assert.strictEqual(Either.isRight(Operation.input(operation, { [name]: null })), nullable, name)
      if (nullable) assert.deepStrictEqual(Operation.input(operation, { [name]: null }), Either.right({ [name]: null }))
    }
  })

  it("can be an update of these", () => {
    assert.sameMembers(updates.map(({ module }) => module), [
      "BroadcastOperations",
      "ContactOperations",
      "ContactPropertyOperations",
      "DomainOperations",
      "TemplateOperations",
      "TopicOperations",
      "WebhookOperations"
    ])
  })

  const operationOf = (name: string): Operation.Any => {
    const [module, key] = name.split(".")
    return all.find((entry) => entry.module === `${module}Operations` && entry.key === key)!.operation
  }

  const broadcast = { segment_id: "s-1", from: "a@b.c", subject: "News", text: "Hello" }

  it.each<readonly [string, string, object]>([
    ["Segment.create", "name", {}],
    ["Segment.update", "name", {}],
    ["Domain.create", "name", {}],
    ["Topic.create", "name", {}],
    ["Topic.update", "name", {}],
    ["Template.create", "name", { html: "<p>Hello</p>" }],
    ["Template.update", "name", {}],
    ["Webhook.create", "endpoint", { events: ["email.sent"] }],
    ["Webhook.update", "endpoint", {}],
    ["Email.reschedule", "scheduled_at", {}],
    ["Broadcast.create", "subject", broadcast],
    ["Broadcast.update", "subject", {}],
    // An empty variable of a shell must not send at once.
    ["Broadcast.create", "scheduled_at", { ...broadcast, send: true }],
    ["Broadcast.send", "scheduled_at", {}]
  ])("of %s has a %s that is not blank", (name, field, rest) => {
    const operation = operationOf(name)
    assert.isTrue(Either.isRight(Operation.input(operation, { ...rest, [field]: "x" })))
    for (const blank of ["", " ", "\n\t", "\u200b"]) {
      assert.strictEqual(
        refusal(operation, { ...rest, [field]: blank }),
        `The \`${field}\` field must not be blank.`
      )
    }
    assert.match(refusal(operation, { ...rest, [field]: 5 }), new RegExp(`^The \`${field}\` field must be a string`))
  })

  it("of Template.create has variables whose keys are not blank", () => {
    assert.strictEqual(
      refusal(operationOf("Template.create"), { name: "x", html: "x", variables: [{ key: "", type: "string" }] }),
      "The `key` field must not be blank."
    )
  })

  it("may be empty where that means something: a draft without content, a key without a name, as lists have them", () => {
    for (
      const [name, input] of [
        ["ApiKey.create", { name: "" }],
        ["ApiKey.update", { name: "" }],
        ["Template.create", { name: "x", html: "" }]
      ] as const
    ) assert.isTrue(Either.isRight(Operation.input(operationOf(name), input)), name)
  })

  it.each<readonly [string, unknown, string]>([
    ["Contact.updateTopics", [], "Pass at least one topic."],
    ["Contact.updateTopics", {}, "The body must be an array."],
    [
      "Contact.updateTopics",
      [{ id: "nope", subscription: "opt_in" }],
      "The `[0].id` field must be an id in UUID shape."
    ],
    ["Contact.updateTopics", [{ id: 5, subscription: "opt_in" }], "The `[0].id` field must be an id in UUID shape."],
    ["Contact.create", { email: "a@b.c", segments: [{ id: "" }] }, "The `segments[0].id` field must be an id."],
    ["Contact.create", { email: "a@b.c", segments: [{}] }, "Missing `id` field."],
    ["Contact.create", { email: "a@b.c", segments: ["s-1"] }, "The `segments[0]` field must be an object."],
    ["Contact.create", { email: "a@b.c", segments: "s-1" }, "The `segments` field must be an array."],
    ["Broadcast.update", { topic_id: "nope" }, "The `topic_id` field must be an id in UUID shape, or null."],
    ["Broadcast.update", { topic_id: 5 }, "The `topic_id` field must be an id in UUID shape, or null."],
    [
      "Contact.create",
      { email: "a@b.c", properties: { age: NaN } },
      "The `properties` field must be a string, a finite number, true, false, or null."
    ],
    [
      "Contact.create",
      { email: "a@b.c", topics: [{ id: crypto.randomUUID(), subscription: "in" }] },
      "The `subscription` field must be `opt_in` or `opt_out`."
    ],
    [
      "ContactProperty.create",
      { key: "plan-b", type: "string" },
      "The `key` field must consist of 1 to 50 letters, digits and underscores."
    ],
    [
      "ContactProperty.create",
      { key: "x".repeat(51), type: "string" },
      "The `key` field must consist of 1 to 50 letters, digits and underscores."
    ],
    [
      "ContactProperty.create",
      { key: "age", type: "number", fallback_value: "1" },
      "The `fallback_value` must be of the `type` of the property."
    ],
    [
      "ContactProperty.update",
      { fallback_value: Infinity },
      "The `fallback_value` field must be a string, a finite number, or null."
    ],
    [
      "Domain.create",
      { name: "example.com", region: "mars-1" },
      "The `region` field must be `us-east-1`, `eu-west-1`, `sa-east-1` or `ap-northeast-1`."
    ],
    ["Domain.update", { capabilities: { sending: true } }, "The `sending` field must be `enabled` or `disabled`."],
    ["Suppression.createMany", { emails: [] }, "Pass 1 to 100 addresses."],
    [
      "Suppression.createMany",
      { emails: Array.from({ length: 101 }, (_, n) => `${n}@example.com`) },
      "Pass 1 to 100 addresses."
    ],
    ["Suppression.removeMany", { emails: ["a@b.c"], ids: ["s-1"] }, "Pass either `emails` or `ids`, 1 to 100."],
    ["Suppression.removeMany", {}, "Pass either `emails` or `ids`, 1 to 100."],
    [
      "Template.create",
      { name: "x", html: "", variables: [{ key: "x".repeat(51), type: "string" }] },
      "The `key` field must be a string of at most 50 characters."
    ],
    [
      "Webhook.create",
      { endpoint: "https://example.com", events: [] },
      "The `events` field must be an array of at least one event."
    ],
    ["Broadcast.send", { scheduledAt: "in 1 hour" }, "Unknown field `scheduledAt`."]
  ])("of %s is refused: %j", (name, input, message) => {
    assert.strictEqual(refusal(operationOf(name), input), message)
  })

  it.each(withInput)("of $module: $key is refused in words, without the name of a type", ({ operation }) => {
    const wrongs = [undefined, null, 5, "", "nope", true, {}, [], [{}], ["nope"]]
    fc.assert(
      fc.property(inputOf(operation), fc.constantFrom(...wrongs), (input, wrong) => {
        for (const place of placesOf(input)) {
          const result = Operation.input(operation, replaced(input, place, wrong))
          if (Either.isLeft(result)) {
            assert.match(result.left.message, /^[A-Z].*\.$/)
            assert.notMatch(result.left.message, typeName)
          }
        }
      }),
      { numRuns: 20 }
    )
  })

  it("of what can be omitted is an empty object", () => {
    assert.deepStrictEqual(Operation.input(operationOf("Broadcast.send"), undefined), Either.right({}))
  })
})

describe("a response", () => {
  // The results of a batch are not its response.
  const received = all.filter(({ operation }) => operation !== EmailOperations.operations.sendBatch)
  it.each(received)("to $module: $key keeps fields that are not known", ({ operation }) => {
    fc.assert(
      fc.property(Arbitrary.make(operation.success), (value) => {
        const encoded: Record<string, unknown> = { ...Schema.encodeSync(operation.success)(value), later: { on: 1 } }
        const decoded = Wire.decode(operation.success)(encoded)
        assert(Either.isRight(decoded))
        assert.deepStrictEqual((decoded.right as typeof encoded)["later"], { on: 1 })
      }),
      { numRuns: 20 }
    )
  })

  it.each(all.filter(({ operation }) => operation.method !== "GET"))(
    "to $module: $key may call the object something else",
    ({ operation }) => {
      const [value] = fc.sample(Arbitrary.make(operation.success), { seed: 1, numRuns: 1 })
      const encoded: object = Schema.encodeSync(operation.success)(value)
      const { object: _, ...without } = encoded as { readonly object?: unknown }
      assert.isTrue(Either.isRight(Wire.decode(operation.success)({ ...without, object: "something" })))
      assert.isTrue(Either.isRight(Wire.decode(operation.success)(without)))
    }
  )

  it.each([
    ["token", ApiKeyOperations.operations.create],
    ["signing_secret", WebhookOperations.operations.create],
    ["signing_secret", WebhookOperations.operations.rotateSecret],
    ["signing_secret", WebhookOperations.operations.get]
  ] as ReadonlyArray<readonly [string, Operation.Any]>)("hides its %s", (field, { success }) => {
    const secret = "whsec_5f2b9c7d"
    const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"
    const decoded = Wire.decode(success)({ id, [field]: secret, later: true })
    assert(Either.isRight(decoded))
    const value = decoded.right as Record<string, Redacted.Redacted>
    for (const shown of [JSON.stringify(value), inspect(value, { depth: 9, showHidden: true }), `${value[field]}`]) {
      assert.notInclude(shown, secret)
    }
    assert.strictEqual(Redacted.value(value[field]!), secret)
    // Nor does the error of a response that is not as promised.
    const wrong = Wire.decode(success)({ id: 1, [field]: secret })
    assert(Either.isLeft(wrong))
    const error = Core.UnexpectedResponse.wrongShape({ method: "POST", url: "/", statusCode: 201 }, wrong.left)
    assert.notInclude(`${error.message}${inspect(error, { depth: 9 })}${JSON.stringify(error)}`, secret)
  })
})

describe("a path", () => {
  it.each(all.filter(({ operation }) => operation.params.length > 0))(
    "of $module: $key keeps its structure, whatever the arguments are",
    ({ operation }) => {
      const count = operation.path.split("/").length
      fc.assert(
        fc.property(
          fc.array(fc.oneof(fc.string(), fc.constantFrom("..", ".", "", "a/b", "%2e%2e", "?x=1", "#"))),
          (given) => {
            const path = Operation.path(operation, given)
            if (Either.isLeft(path)) return
            assert.strictEqual(path.right.split("/").length, count)
            const url = new URL(path.right, "https://example.com")
            assert.strictEqual(url.pathname, path.right)
            assert.strictEqual(`${url.search}${url.hash}`, "")
          }
        )
      )
    }
  )
})
