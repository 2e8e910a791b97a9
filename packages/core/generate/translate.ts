/**
 * Translates modules of core from Effect 3 to Effect 4: text that no rule is about stays as it is, with its comments. What
 * differs between the two and has no rule here is an error, so that no module is translated by half.
 */
import ts from "typescript"

/** A module could not be translated. */
const unknown = (node: ts.Node, what: string): never => {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.getStart())
  throw new Error(`${source.fileName}:${line + 1}: no rule for ${what}: ${node.getText().slice(0, 200)}`)
}

/** How a node is written for Effect 4; `undefined` if the rule is not about it. */
interface Rule<Node extends ts.Node> {
  (node: Node, translate: (node: ts.Node) => string): string | undefined
}

/** What a call is of: `Schema.Union`, or `.annotations` for a method of anything. */
const calleeOf = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression)
    ? ts.isIdentifier(expression.expression) && /^[A-Z]/.test(expression.expression.text)
      ? `${expression.expression.text}.${expression.name.text}`
      : `.${expression.name.text}`
    : ""

const propertiesOf = (node: ts.Node | undefined): ReadonlyMap<string, ts.ObjectLiteralElementLike> =>
  new Map(
    node !== undefined && ts.isObjectLiteralExpression(node)
      ? node.properties.map((property) => [property.name?.getText() ?? "", property])
      : []
  )

const valueOf = (property: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined =>
  property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined

/** Annotations that only Effect 3 has a use for. */
const dropped = ["jsonSchema", "arbitrary", "pretty"]

const annotationsOf: Rule<ts.Expression> = (node, translate) => {
  if (!ts.isObjectLiteralExpression(node)) return translate(node)
  const kept = node.properties.filter(({ name }) => !dropped.includes(name?.getText() ?? ""))
  // With the comments before them.
  return kept.length === 0
    ? undefined
    : kept.length === node.properties.length
    ? translate(node)
    : `{\n${kept.map((each) => `${commentsOf(each)}${translate(each)}`).join(",\n")}\n}`
}

const commentsOf = (node: ts.Node): string =>
  (ts.getLeadingCommentRanges(node.getSourceFile().text, node.getFullStart()) ?? [])
    .map(({ end, pos }) => `${node.getSourceFile().text.slice(pos, end)}\n`).join("")

/** `must(…)`, `says(…)` and the like give annotations, too. */
const isConstant = (node: ts.Expression): boolean =>
  ts.isObjectLiteralExpression(node) && !propertiesOf(node).has("message") &&
  node.properties.every((property) =>
    !ts.isSpreadAssignment(property) && property.name?.kind !== ts.SyntaxKind.ComputedPropertyName
  )

const inList = (node: ts.CallExpression, translate: (node: ts.Node) => string): string =>
  node.arguments.map(translate).join(", ")

/** A check of `internal/checks.ts`, whose annotations are the last argument. */
const check: Rule<ts.CallExpression> = (node, translate) => {
  const args = node.arguments.map((argument, index) =>
    index > 0 && index === node.arguments.length - 1 ? annotationsOf(argument, translate) : translate(argument)
  )
  return `Checks.${calleeOf(node).slice("Schema.".length)}(${args.filter((arg) => arg !== undefined).join(", ")})`
}

const messageOf = (node: ts.Node | undefined, translate: (node: ts.Node) => string): string | undefined => {
  const message = valueOf(propertiesOf(node).get("missingMessage"))
  return message !== undefined && ts.isArrowFunction(message) ? translate(message.body) : undefined
}

/** The schema of `Schema.propertySignature(…)` and `Schema.element(…)`. */
const signed = (node: ts.Expression): ts.Expression | undefined =>
  ts.isCallExpression(node) && ["Schema.propertySignature", "Schema.element"].includes(calleeOf(node))
    ? node.arguments[0]
    : undefined

const same: Rule<ts.CallExpression> = () => undefined

/** Durations are compared with durations only. */
const durations: Rule<ts.CallExpression> = (node, translate) =>
  `${translate(node.expression)}(${
    node.arguments.map((argument, index) =>
      index === 0 && node.arguments.length > 1
        ? translate(argument)
        : `Duration.fromInputUnsafe(${translate(argument)})`
    ).join(", ")
  })`

const calls: { readonly [callee: string]: Rule<ts.CallExpression> } = {
  ".annotations": (node, translate) => {
    const [annotations] = node.arguments
    if (annotations === undefined || !ts.isPropertyAccessExpression(node.expression)) {
      return unknown(node, "annotations")
    }
    const subject = node.expression.expression
    const inner = signed(subject)
    const message = messageOf(annotations, translate)
    if (inner !== undefined && message !== undefined) return `missing(${message}, ${translate(inner)})`
    const written = annotationsOf(annotations, translate)
    const text = translate(subject)
    return written === undefined
      ? text
      : `${text}.annotate(${isConstant(annotations) ? written : `told(${written})`})`
  },
  "Schema.Union": (node, translate) => `Schema.Union([${inList(node, translate)}])`,
  "Schema.Literal": (node, translate) =>
    node.arguments.length === 1 ? undefined : `Schema.Literals([${inList(node, translate)}])`,
  "Schema.Record": (node, translate) => {
    const parts = propertiesOf(node.arguments[0])
    const [key, value] = [valueOf(parts.get("key")), valueOf(parts.get("value"))]
    return key === undefined || value === undefined
      ? unknown(node, "a record")
      : `Schema.Record(${translate(key)}, ${translate(value)})`
  },
  "Schema.optionalWith": (node, translate) => {
    const [schema, options] = node.arguments
    return schema !== undefined && options?.getText() === "{ exact: true }"
      ? `Schema.optionalKey(${translate(schema)})`
      : unknown(node, "an optional field")
  },
  "Schema.Tuple": (node, translate) => {
    const [elements, rest, ...more] = node.arguments
    return elements !== undefined && ts.isArrayLiteralExpression(elements) && rest !== undefined && more.length === 0
      ? `Schema.TupleWithRest(Schema.Tuple(${translate(elements)}), [${translate(rest)}])`
      : unknown(node, "a tuple")
  },
  "Schema.Redacted": (node, translate) => `Schema.RedactedFromValue(${inList(node, translate)})`,
  "Schema.parseJson": (node, translate) => `Schema.fromJsonString(${inList(node, translate)})`,
  "Schema.typeSchema": (node, translate) => `Schema.toType(${inList(node, translate)})`,
  "Schema.filter": check,
  "Schema.pattern": check,
  "Schema.minItems": check,
  "Schema.maxItems": check,
  "Schema.Struct": same,
  "Schema.Array": same,
  "Schema.NonEmptyArray": same,
  "Schema.NullOr": same,
  "Schema.UndefinedOr": same,
  "Schema.optional": same,
  "Schema.is": same,
  "Schema.TaggedStruct": same,
  "Schema.instanceOf": (node, translate) => {
    const [type, annotations] = node.arguments
    const written = annotations === undefined ? undefined : annotationsOf(annotations, translate)
    return `Schema.instanceOf(${translate(type!)}${written === undefined ? "" : `, ${written}`})`
  },
  "Schema.declare": (node, translate) => {
    const [type, annotations] = node.arguments
    const written = annotations === undefined ? undefined : annotationsOf(annotations, translate)
    return `Schema.declare(${translate(type!)}${written === undefined ? "" : `, told(${written})`})`
  },
  // The name of the class is its tag.
  "Schema.attachPropertySignature": (node, translate) => `attached(${inList(node, translate)})`,
  "Schema.transform": (node, translate) => {
    const [from, to, options] = node.arguments
    const parts = propertiesOf(options)
    const [decode, encode] = [valueOf(parts.get("decode")), valueOf(parts.get("encode"))]
    return from === undefined || to === undefined || decode === undefined || encode === undefined
      ? unknown(node, "a transformation")
      : `${translate(from)}.pipe(Schema.decodeTo(${translate(to)}, SchemaTransformation.transform({ decode: ${
        translate(decode)
      }, encode: ${translate(encode)} })))`
  },
  "Duration.format": durations,
  "Duration.greaterThan": durations,
  "Duration.greaterThanOrEqualTo": durations,
  "Either.mapBoth": (node, translate) =>
    `Result.mapBoth(${inList(node, translate).replace("onLeft:", "onFailure:").replace("onRight:", "onSuccess:")})`
}

/** Names of Effect 3, and those of Effect 4 for the same. */
const names: { readonly [name: string]: string } = {
  "Either.right": "Result.succeed",
  "Either.left": "Result.fail",
  "Either.void": "Result.void",
  "Either.map": "Result.map",
  "Either.mapLeft": "Result.mapError",
  "Either.isLeft": "Result.isFailure",
  "Either.isRight": "Result.isSuccess",
  "Either.Either": "Result.Result",
  "Either.fromOption": "Result.fromOption",
  "Either.filterOrLeft": "Result.filterOrFail",
  "Option.fromNullable": "Option.fromNullishOr",
  "DateTime.unsafeMake": "DateTime.makeUnsafe",
  "Duration.DurationInput": "Duration.Input",
  "Duration.decodeUnknown": "Duration.fromInput",
  "Duration.greaterThan": "Duration.isGreaterThan",
  "Duration.greaterThanOrEqualTo": "Duration.isGreaterThanOrEqualTo",
  "Duration.lessThanOrEqualTo": "Duration.isLessThanOrEqualTo",
  "ParseResult.ParseError": "Schema.SchemaError",
  "ValidationError.fromParseError": "ValidationError.fromSchemaError",
  "Schema.Int": "int",
  "Schema.Schema.Any": "Schema.Top",
  "Schema.Schema.All": "Schema.Top",
  "Predicate.isRecord": "Predicate.isObject"
}

/** Members of Effect's modules that are the same in both. */
const known: { readonly [module: string]: ReadonlyArray<string> } = {
  Schema: [
    "String",
    "Number",
    "Boolean",
    "Unknown",
    "Null",
    "Undefined",
    "Finite",
    "Int",
    "NonEmptyString",
    "Schema",
    "Struct",
    "Literal",
    "optionalKey"
  ],
  Option: ["Option", "some", "none", "map", "isSome", "getOrUndefined", "getOrElse", "liftThrowable", "toArray"],
  Predicate: ["isUndefined", "isNotUndefined", "or", "Refinement", "hasProperty", "isString"],
  Duration: ["Duration", "toMillis", "millis", "days", "format", "isFinite"]
}

const imports: { readonly [path: string]: string } = {
  "effect/Either": "effect/Result"
}

const types: { readonly [name: string]: (args: ReadonlyArray<string>) => string } = {
  "Schema.Schema": (args) => `Schema.Codec<${args.join(", ")}>`,
  // A check does not change the type of its schema.
  "Schema.filter": ([type = ""]) => type
}

const checkMember = (node: ts.PropertyAccessExpression | ts.QualifiedName, module: string, member: string): void => {
  const members = known[module]
  if (members !== undefined && !members.includes(member) && calls[`${module}.${member}`] === undefined) {
    unknown(node, `\`${module}.${member}\``)
  }
}

const ruleFor = (node: ts.Node, translate: (node: ts.Node) => string): string | undefined => {
  if (ts.isCallExpression(node)) {
    if (ts.isCallExpression(node.expression) && node.expression.expression.getText() === "Schema.TaggedError") {
      const [self] = node.expression.typeArguments ?? []
      return self && `Schema.TaggedError<${self.getText()}>()(${inList(node, translate)})`
    }
    const rule = calls[calleeOf(node)]
    return rule?.(node, translate)
  }
  if (ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node)) {
    const name = names[node.getText()]
    if (name !== undefined) return name
    if (
      ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && /^[a-z]/.test(node.expression.text)
    ) {
      const { text } = node.name
      if (text === "left" || text === "right") {
        return `${node.expression.text}.${text === "left" ? "failure" : "success"}`
      }
    }
    const left = ts.isQualifiedName(node) ? node.left : node.expression
    const right = ts.isQualifiedName(node) ? node.right : node.name
    if (ts.isIdentifier(left)) checkMember(node, left.text, right.text)
    return undefined
  }
  if (ts.isTypeReferenceNode(node)) return types[node.typeName.getText()]?.((node.typeArguments ?? []).map(translate))
  if (ts.isImportDeclaration(node)) return importOf(node)
  return undefined
}

const importOf = (node: ts.ImportDeclaration): string | undefined => {
  const path = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : ""
  // Its errors are those of `Schema`.
  if (path === "effect/ParseResult") return ""
  const to = imports[path]
  if (to === undefined) return undefined
  const name = to.slice("effect/".length)
  const isType = node.importClause?.isTypeOnly === true
  return `import ${isType ? "type " : ""}* as ${name} from "${to}"`
}

/** The text of a node: as its rule writes it, or as it is around the parts of it. */
const translateNode = (node: ts.Node): string => {
  const written = ruleFor(node, translateNode)
  if (written !== undefined) return written
  const source = node.getSourceFile().text
  let [text, at] = ["", node.getStart()]
  ts.forEachChild(node, (child) => {
    if (child.getFullWidth() === 0) return
    text += source.slice(at, child.getStart()) + translateNode(child)
    at = child.getEnd()
  })
  return text + source.slice(at, node.getEnd())
}

/** In examples and comments. */
const inComments = (text: string): string =>
  text
    .replace(/@mailstream\/(?:core|http|stream)(?=["`])/g, "@mailstream/effect4")
    .replace(/\/\/ right\(/g, "// success(")
    .replace(/\/\/ left\(/g, "// failure(")
    .replace(/Schema\.parseJson\(/g, "Schema.fromJsonString(")

/** What helpers the text needs that the module for Effect 3 does not import. */
const added = (text: string): string => {
  const helpers = ["attached", "int", "missing", "told"].filter((name) =>
    new RegExp(`(?<!\\.)\\b${name}\\b[(,]`).test(text)
  )
  const declared = /import \{([^}]*)\} from "\.\/internal\/fields\.ts"/.exec(text)
  let result = text
  if (helpers.length > 0) {
    const all = [
      ...new Set([...(declared?.[1] ?? "").split(",").map((name) => name.trim()).filter(Boolean), ...helpers])
    ]
    const line = `import { ${all.join(", ")} } from "./internal/fields.ts"`
    result = declared === null
      ? result.replace(/(?<=import \* as Schema from "effect\/Schema"\n)/, `${line}\n`)
      : result.replace(declared[0], line)
  }
  const modules = [
    ["SchemaTransformation", "effect/SchemaTransformation"],
    ["Checks", "./internal/checks.ts"]
  ].filter(([name]) => new RegExp(`\\b${name}\\.`).test(result)).map(([name, from]) =>
    `import * as ${name} from "${from}"\n`
  )
  return result.replace(/(?<=import \* as Schema from "effect\/Schema"\n)/, modules.join(""))
}

/** A module of core for Effect 4. */
export const translated = (path: string, text: string): string => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const body = source.statements.map((statement) => {
    const comments = text.slice(statement.getFullStart(), statement.getStart())
    const written = translateNode(statement)
    return written === "" ? "" : inComments(comments) + inComments(written)
  }).join("")
  return added(`${body}\n`).replace(
    "\n *\n * @since",
    "\n *\n * Translated from core by `npm run generate`.\n *\n * @since"
  )
}
