import * as Schema from "effect/Schema"
import { type Annotations, text, told } from "./said.ts"

/** `true` or nothing for a valid value, otherwise `false` or what is wrong with it. */
type Verdict = boolean | string | undefined

/** Narrows a schema to the values that fulfil a condition. */
export const filter: {
  <S extends Schema.Top, T extends S["Type"]>(
    refinement: (value: S["Type"]) => value is T,
    annotations?: Annotations
  ): (self: S) => Schema.refine<T, S>
  <S extends Schema.Top>(
    predicate: (value: S["Type"]) => Verdict,
    annotations?: Annotations
  ): (self: S) => S["Rebuild"]
} = <S extends Schema.Top>(predicate: (value: S["Type"]) => Verdict, annotations: Annotations = {}) => {
  const says = annotations.message
  // Effect prefers a constant message to the one that the check returns.
  const { message: _, ...all } = told(annotations)
  const check = Schema.makeFilter<S["Type"]>((value) => {
    const verdict = predicate(value)
    return verdict === false && says !== undefined ? text(says({ actual: value })) : verdict
  }, { expected: annotations.description ?? annotations.identifier, ...all })
  return (self: S): S["Rebuild"] => self.check(check)
}

/** Texts that match. */
export const pattern = (expression: RegExp, annotations?: Annotations) =>
  filter<Schema.String>((text) => expression.test(text), annotations)

/** Arrays of at least `count` elements. */
export const minItems = <S extends Schema.Schema<ReadonlyArray<unknown>>>(count: number, annotations?: Annotations) =>
  filter<S>((all) => all.length >= count, annotations)

/** Arrays of at most `count` elements. */
export const maxItems = <S extends Schema.Schema<ReadonlyArray<unknown>>>(count: number, annotations?: Annotations) =>
  filter<S>((all) => all.length <= count, annotations)
