/** What a campaign is, as its runs see it. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { SendEmail } from "../../core/index.ts"
import type * as Position from "../../core/Position.ts"

/** The decision not to write to somebody. */
export class Skip extends Data.TaggedClass("Skip")<{ readonly reason: string }> {}

export type Message = SendEmail | Skip

/** Some items of an audience, and where it continues after them. */
export interface AudiencePage<out Item> {
  readonly data: ReadonlyArray<Item>
  readonly next: Position.Position
}

export interface Definition<out E, out R> {
  readonly name: string
  readonly once: "contact" | "address"
  /** Who the audience is, if that is said. */
  readonly scope: string | undefined
  /** Whether `pages` can begin anywhere but at the start. */
  readonly isResumable: boolean
  /** Begins at a position that the same pages have led to. */
  readonly pages: (from: Position.Open<never>) => Stream.Stream<AudiencePage<Rendered<E, R>>, E, R>
}

/** An item of the audience, and how its message is made. */
export interface Rendered<out E, out R> {
  readonly id: unknown
  /** Its own address, if it has one. */
  readonly address: string
  readonly message: () => Message | Effect.Effect<Message, E, R>
}
