/** What `effect/Schema` weighs in a program that decodes one struct. */
import { Schema } from "effect"

console.log(Schema.decodeUnknownEither(Schema.Struct({ id: Schema.UUID }))({}))
