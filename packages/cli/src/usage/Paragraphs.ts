/**
 * The plain text of what `@effect/cli` documents, without colors or layout.
 *
 * @since 1.0.0
 */
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"

/**
 * The paragraphs of a document, in order.
 *
 * @since 1.0.0
 * @category conversions
 */
export const of = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  switch (doc._tag) {
    case "Empty":
      return []
    case "Header":
    case "Paragraph":
      return [textOf(doc.value)]
    case "DescriptionList":
      return doc.definitions.flatMap(([, description]) => of(description))
    case "Enumeration":
      return doc.elements.flatMap(of)
    case "Sequence":
      return [...of(doc.left), ...of(doc.right)]
  }
}

const textOf = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Highlight":
    case "Strong":
    case "Weak":
      return textOf(span.value)
    case "Sequence":
      return textOf(span.left) + textOf(span.right)
  }
}
