/** Emails that are scheduled: until their time has come, that time can change, or they can be canceled. */
import { NotFound, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields } from "../../stores/Store.ts"
import * as Outbox from "../sending/Outbox.ts"
import type { Call, Life, Result } from "./Life.ts"
import * as Moment from "./Moment.ts"

const change = ({ list, objects, ref = "" }: Call, done: string, changes: Fields): Result<Fields> =>
  Effect.gen(function*() {
    const email = yield* objects.get(list, ref)
    if (email === undefined) return yield* new NotFound({ statusCode: 404, message: "Email not found" })
    if (email["last_event"] !== "scheduled") {
      return yield* ValidationError.because(`Only an email that is scheduled can be ${done}.`)
    }
    yield* objects.put(list, { ...email, ...changes })
    return { id: email["id"] }
  })

export const life: Partial<Life> = {
  actions: {
    reschedule: (call) =>
      Effect.flatMap(
        Moment.parse(call.fields["scheduled_at"], call.now),
        (due) => change(call, "rescheduled", { scheduled_at: Moment.format(due), due })
      ),
    cancel: (call) => change(call, "canceled", { last_event: "canceled", due: undefined })
  },
  mature: (objects, email) => Outbox.send(objects, email)
}
