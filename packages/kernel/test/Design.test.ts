import { assert, describe, it } from "@effect/vitest"
import { css } from "@mailstream/kernel/Design"

/** The colors that a block of the stylesheet sets. */
const colorsOf = (block: string): Record<string, string> =>
  Object.fromEntries(Array.from(block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g), ([, name, color]) => [name, color]))

const [lightBlock = "", darkBlock = ""] = css.split("@media (prefers-color-scheme: dark)")
const light = colorsOf(lightBlock)
const dark = { ...light, ...colorsOf(darkBlock.slice(0, darkBlock.indexOf("\n}"))) }

/** As WCAG 2 defines it. */
const luminance = (color = "#000000"): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string | undefined, other: string | undefined): number => {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (higher + 0.05) / (lower + 0.05)
}

const surfaces = ["background", "surface", "sunken"]
const states = ["good", "warn", "bad", "info"]
const texts = [
  ...surfaces.flatMap((surface) => ["text", "muted", "accent", ...states].map((text) => [text, surface])),
  ...states.map((state) => [state, `${state}-surface`]),
  ["text", "info-surface"],
  ["muted", "info-surface"],
  ["on-accent", "accent"]
]
const shapes = ["background", "surface"].flatMap((surface) =>
  ["outline", "focus", "series-1", "series-2", "series-3"].map((shape) => [shape, surface])
)

describe("the look of pages", () => {
  for (const [scheme, colors] of Object.entries({ light, dark })) {
    for (const [pairs, least] of [[texts, 4.5], [shapes, 3]] as const) {
      it(`has ${least} or more as contrast, ${scheme}`, () => {
        for (const [one = "", other = ""] of pairs) {
          assert.property(colors, one)
          assert.property(colors, other)
          assert.isAtLeast(contrast(colors[one], colors[other]), least, `${one} on ${other}`)
        }
      })
    }
  }

  it("has every color twice, once for each scheme", () => {
    assert.sameMembers(Object.keys(colorsOf(darkBlock.slice(0, darkBlock.indexOf("\n}")))), Object.keys(light))
  })

  it("uses only what it defines, and loads nothing", () => {
    for (const [, name = ""] of css.matchAll(/var\(--([a-z0-9-]+)\)/g)) assert.include(lightBlock, `--${name}:`)
    assert.notMatch(css, /url\(|@import|https?:/)
  })
})
