/** What the body of a request is made of, read from its schema. */
import type * as Operation from "@mailstream/core/Operation"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/**
 * What a field holds.
 *
 * - `Text`, `Number`, `Switch` (true or false), `Choice` (one of these words).
 * - `Scalar`: a text or a number.
 * - `Several`: a list. With `splits`, commas separate its elements; without, a single text is one of them as it is.
 * - `Json`: anything else. If it is an object that needs one field, that field is `only`. If it is made of two texts, these are
 *   its `pair`, as in the name and the value of a tag.
 */
export type Kind =
  | { readonly _tag: "Number" | "Switch" | "Scalar" }
  | { readonly _tag: "Text"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "Choice"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "Several"; readonly element: Kind; readonly splits: boolean }
  | {
    readonly _tag: "Json"
    readonly only: string | undefined
    readonly pair: readonly [string, string] | undefined
  }

export interface Field {
  /** As in `first_name`. */
  readonly name: string
  readonly kind: Kind
  readonly isRequired: boolean
  /** Whether null removes it. */
  readonly isNullable: boolean
  readonly maxLength: number | undefined
  /** What it is, as a sentence with the names of fields in backticks; empty if nobody says. */
  readonly description: string
}

/** The body of a request. */
export interface Body {
  /** Whether it is a list of objects with these fields. */
  readonly isArray: boolean
  /** Whether there may be none. */
  readonly isOptional: boolean
  readonly fields: ReadonlyArray<Field>
}

const plain = (ast: AST.AST): AST.AST =>
  AST.isRefinement(ast) ? plain(ast.from) : AST.isSuspend(ast) ? plain(ast.f()) : ast

/** The types of a union, or the only one. */
const membersOf = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  const type = plain(ast)
  return AST.isUnion(type) ? type.types.flatMap(membersOf) : [ast]
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

const presentIn = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  membersOf(ast).filter((member) => !isNull(member) && !AST.isUndefinedKeyword(member))

/** What schemas say about themselves for JSON Schema, from the outside to the inside. */
const saidOf = (ast: AST.AST): ReadonlyArray<object> => [
  ...Option.toArray(AST.getJSONSchemaAnnotation(ast)),
  ...(AST.isRefinement(ast) ? saidOf(ast.from) : [])
]

/** The words that an enumeration is known to have, even if it may grow. */
const wordsOf = (ast: AST.AST): ReadonlyArray<string> =>
  saidOf(ast).flatMap((said) =>
    "anyOf" in said && Array.isArray(said.anyOf)
      ? said.anyOf.flatMap((member: { readonly enum?: ReadonlyArray<string> }) => member.enum ?? [])
      : []
  )

const maxLengthOf = (ast: AST.AST): number | undefined =>
  presentIn(ast).flatMap(saidOf).flatMap((said) =>
    "maxLength" in said && typeof said.maxLength === "number" ? [said.maxLength] : []
  )[0]

const elementOf = ({ elements, rest }: AST.TupleType): AST.AST => (rest[0] ?? elements[0])?.type ?? AST.unknownKeyword

const isText = ({ type }: AST.PropertySignature): boolean => presentIn(type).map(plain).every(AST.isStringKeyword)

/** What values of a type are. */
export const kindOf = (ast: AST.AST): Kind => {
  const members = presentIn(ast)
  // What only a program can hold, such as a Date, is a text in JSON.
  const known = members.map(plain)
  const types = known.some(AST.isStringKeyword) ? known.filter((type) => !AST.isDeclaration(type)) : known
  const literals = types.flatMap((type) =>
    AST.isLiteral(type) && typeof type.literal === "string" ? [type.literal] : []
  )
  const lists = types.filter(AST.isTupleType)
  const others = types.filter((type) => !AST.isTupleType(type))
  const [list] = lists
  const [first] = types
  if (literals.length > 0 && literals.length === types.length) return { _tag: "Choice", words: literals }
  if (list !== undefined && lists.length === 1 && others.every(AST.isStringKeyword)) {
    const element = kindOf(elementOf(list))
    return { _tag: "Several", element, splits: others.length === 0 && element._tag !== "Json" }
  }
  if (types.every(AST.isStringKeyword)) return { _tag: "Text", words: members.flatMap(wordsOf) }
  if (types.every(AST.isBooleanKeyword)) return { _tag: "Switch" }
  if (types.every(AST.isNumberKeyword)) return { _tag: "Number" }
  if (types.every((type) => AST.isStringKeyword(type) || AST.isNumberKeyword(type))) return { _tag: "Scalar" }
  const parts = types.length === 1 && first !== undefined && AST.isTypeLiteral(first) ? first.propertySignatures : []
  const needed = parts.filter(({ isOptional }) => !isOptional)
  const [one, other] = needed
  return {
    _tag: "Json",
    only: one !== undefined && needed.length === 1 ? String(one.name) : undefined,
    pair: one !== undefined && other !== undefined && parts.length === 2 && [one, other].every(isText)
      ? [String(one.name), String(other.name)]
      : undefined
  }
}

const fieldOf = (
  { isOptional, name, type }: AST.PropertySignature,
  descriptions: Operation.Descriptions
): Field => ({
  name: String(name),
  kind: kindOf(type),
  isRequired: !isOptional,
  isNullable: membersOf(type).some(isNull),
  maxLength: maxLengthOf(type),
  description: descriptions[String(name)] ?? ""
})

/** The body that a schema describes: an object, one of several, or a list of objects. */
export const bodyOf = (payload: { readonly ast: AST.AST }, descriptions: Operation.Descriptions = {}): Body => {
  const ast = AST.typeAST(payload.ast)
  const types = presentIn(ast).map(plain)
  const [first] = types
  const isArray = first !== undefined && AST.isTupleType(first)
  const objects = (isArray ? presentIn(elementOf(first)).map(plain) : types).filter(AST.isTypeLiteral)
  const fields = new Map<string, Field>()
  for (const { propertySignatures } of objects) {
    for (const field of propertySignatures.map((signature) => fieldOf(signature, descriptions))) {
      // Which of several objects is meant is not known before they are typed.
      fields.set(field.name, objects.length === 1 ? field : { ...field, isRequired: false })
    }
  }
  return {
    isArray,
    isOptional: membersOf(ast).some(AST.isUndefinedKeyword),
    fields: [...fields.values()]
  }
}

const isSecret = (ast: AST.AST): boolean =>
  AST.isUnion(ast)
    ? ast.types.some(isSecret)
    : AST.isDeclaration(ast) && Option.exists(AST.getDescriptionAnnotation(ast), (text) => text.startsWith("Redacted"))

/** The fields that hold secrets in the response of any of these operations. */
export const secretsOf = (
  operations: ReadonlyArray<{ readonly success: { readonly ast: AST.AST } }>
): ReadonlyArray<string> =>
  operations.flatMap(({ success }) =>
    AST.getPropertySignatures(AST.typeAST(success.ast)).flatMap(({ name, type }) =>
      isSecret(type) ? [String(name)] : []
    )
  )
