/** The guides, in the order in which they are read. */
export const guides: ReadonlyArray<{ readonly title: string; readonly names: ReadonlyArray<string> }> = [
  { title: "Start", names: ["first-walk", "plain-typescript", "effect-4", "from-resend"] },
  { title: "Changing things", names: ["changing-things", "sending", "campaigns", "webhooks"] },
  { title: "When things go wrong", names: ["errors-and-retries", "rate-limits", "surviving-a-crash"] },
  { title: "More ways to read", names: ["following", "complete-lists", "mirror", "many-machines"] },
  { title: "Your own app", names: ["inbox", "observing", "testing", "terminal"] },
  { title: "Background", names: ["inside"] }
]
