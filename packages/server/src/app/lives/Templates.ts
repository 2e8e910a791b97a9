/** Templates: a draft beside the version that is published. */
import { NotFound, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields } from "../../stores/Store.ts"
import { type Life, texts } from "./Life.ts"
import * as Moment from "./Moment.ts"

const content = ["from", "html", "name", "reply_to", "subject", "text", "variables"]

/** What a template is sent with. */
const versionOf = (template: Fields): Fields =>
  Object.fromEntries(content.map((name) => [name, template[name] ?? null]))

const isPublished = ({ has_unpublished_versions, status }: Fields): boolean =>
  status === "published" && has_unpublished_versions !== true

/** The version of a template that is sent; undefined: none is published. */
export const published = (template: Fields): Fields | undefined => {
  const { published } = template
  if (typeof published === "object" && published !== null) return { ...published }
  return isPublished(template) ? versionOf(template) : undefined
}

/** Variables have ids and times, too, and null if they have no fallback. */
const complete = (variables: unknown, now: number): unknown => {
  if (!Array.isArray(variables)) return variables
  const created_at = Moment.format(now)
  return variables.map((variable) => ({
    id: crypto.randomUUID(),
    fallback_value: null,
    created_at,
    updated_at: created_at,
    ...variable
  }))
}

const draft = (): Fields => ({
  status: "draft",
  published_at: null,
  alias: null,
  has_unpublished_versions: true,
  current_version_id: crypto.randomUUID(),
  published: null
})

export const life: Partial<Life> = {
  born: (_, now) => ({ ...draft(), ...versionOf({}), variables: [], updated_at: Moment.format(now) }),
  admit: ({ list, now, objects }, changed, before) =>
    Effect.gen(function*() {
      const after = { ...changed, reply_to: texts(changed["reply_to"]), variables: complete(changed["variables"], now) }
      const { alias, id } = changed
      const other = typeof alias === "string" ? yield* objects.find(list, alias) : undefined
      if (other !== undefined && other["id"] !== id) {
        return yield* ValidationError.because("The `alias` field must not be the alias of another template.")
      }
      if (before === undefined) return after
      return {
        ...after,
        has_unpublished_versions: true,
        // Its first edit after a publication leaves what is published as it was.
        published: isPublished(before) ? before["published"] ?? versionOf(before) : before["published"] ?? null,
        current_version_id: isPublished(before) ? crypto.randomUUID() : before["current_version_id"],
        updated_at: Moment.format(now)
      }
    }),
  copied: (_, now) => ({ ...draft(), updated_at: Moment.format(now) }),
  show: (_, template) => Effect.succeed({ has_unpublished_versions: !isPublished(template), ...template }),
  actions: {
    publish: ({ list, now, objects, ref = "" }) =>
      Effect.gen(function*() {
        const template = (yield* objects.get(list, ref)) ?? (yield* objects.find(list, ref))
        if (template === undefined) return yield* new NotFound({ statusCode: 404, message: "Template not found" })
        if (isPublished(template)) {
          return yield* ValidationError.because("The template has no changes that are not published.")
        }
        yield* objects.put(list, {
          ...template,
          status: "published",
          published_at: Moment.format(now),
          has_unpublished_versions: false,
          published: versionOf(template)
        })
        return { id: template["id"] }
      })
  }
}
