import { describe, it } from "@effect/vitest"
import { stories, tell } from "../support/lives.ts"
import { stores } from "../support/stores.ts"

describe.each(stores.filter(([name]) => name !== "memory"))("with %s, the `resend` SDK lives through", (_, store) => {
  it.scopedLive.each(Object.entries(stories))("%s", ([_, story]) => tell(story, store))
})
