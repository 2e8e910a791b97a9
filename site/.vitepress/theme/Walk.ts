/**
 * The picture of the home page: a recorded walk, and its pages as they arrive. It plays once, in CSS alone, so that it needs
 * no JavaScript; who prefers less motion sees how it ended.
 */
import { defineComponent, h, type VNode } from "vue"
import { version } from "../../../packages/cli/package.json"
import { after, before, frames } from "./recording.ts"

/** Until the walk begins, and between two frames, in milliseconds. */
const start = 500
const interval = 100

const itemsIn = (frame: string): number => Number(/([\d,]+) of/.exec(frame)?.[1]?.replaceAll(",", "") ?? 0)

const pageSize = 100
const arrived = frames.map((frame) => itemsIn(frame) / pageSize)
/** The pages before which the walk waited for a retry. */
const retried = new Set(frames.flatMap((frame, index) => frame.includes("waiting") ? [arrived[index]] : []))

/** The pages, each with the time of the first frame that counts it. Those between two frames are spread over the interval. */
const pages = Array.from({ length: 100 }, (_, page) => {
  const found = arrived.findIndex((count) => count > page)
  const frame = found === -1 ? frames.length : found
  const [from = 0, to = 100] = [arrived[frame - 1], arrived[frame]]
  return { isRetried: retried.has(page), delay: start + (frame - 1 + (page + 1 - from) / (to - from)) * interval }
})

const end = start + frames.length * interval

/** A line of the program: a word that names something, and what it is. */
const line = (text: string): VNode => {
  const [, name = "", rest = text] = /^( {2}\S+ +)(.*)$/.exec(text) ?? []
  return h("div", { class: "line" }, [h("span", { class: "what" }, name), rest])
}

const label =
  `npm start, recorded: 10,000 contacts as one Stream, from a service that is slow on purpose and fails 1 request in 20. ${
    after.map((text) => text.trim()).join("; ")
  }.`

export default defineComponent(() => () =>
  h("figure", { class: "walk", style: `--end: ${end}ms` }, [
    h("div", { class: "terminal", role: "img", "aria-label": label }, [
      h("div", { class: "bar", "aria-hidden": "true" }, [h("i"), h("i"), h("i"), h("span", "npm start")]),
      h("div", { class: "screen", "aria-hidden": "true" }, [
        h("div", { class: "line title" }, `Mailstream ${version}: all contacts, as one Stream`),
        h("div", { class: "line" }, " "),
        ...before.map(line),
        h("div", { class: "line" }, " "),
        h("div", { class: "result" }, [
          h("div", { class: "progress" }, [
            h(
              "div",
              {
                class: "strip",
                style: `--frames: ${frames.length}; --length: ${frames.length * interval}ms; --start: ${start}ms`
              },
              frames.map((frame) => h("div", { class: "line" }, frame))
            )
          ]),
          h("div", { class: "summary" }, after.map(line))
        ])
      ])
    ]),
    h(
      "div",
      { class: "pages", "aria-hidden": "true" },
      pages.map(({ delay, isRetried }) =>
        h("i", { class: { retried: isRetried }, style: `--at: ${delay.toFixed(0)}ms` })
      )
    ),
    h("figcaption", [
      h("span", [h("i"), "a page of 100 contacts"]),
      h("span", [h("i", { class: "retried" }), "retried: nothing lost, nothing twice"])
    ])
  ])
)
