/** Where a walk is, as it is stored. */
import * as Schema from "effect/Schema"
import * as Position from "../../core/Position.ts"

const Stored = Schema.fromJsonString(Position.schema(Schema.String))

export const encode: (position: Position.Position) => string = Schema.encodeSync(Stored)

export const decode = Schema.decodeEffect(Stored)

export const start: string = encode(Position.start)

export const end: string = encode(Position.end)
