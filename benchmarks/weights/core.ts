/** What a program weighs that decodes contacts with `core` alone. */
import { Contact } from "@mailstream/core"
import { Schema } from "effect"

console.log(Schema.decodeUnknownEither(Contact)({}))
