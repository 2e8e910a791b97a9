/**
 * The look of Mailstream's pages: one small stylesheet, light and dark, for phones and desktops. Nothing is imported.
 *
 * Serve `css` as a file of its own, so that a policy of `style-src 'self'` is enough, and add what only one page needs after it.
 * Elements look right without a class: headings, links, `button`, `input`, `select`, `textarea`, `label`, `table`, `code`, `pre`,
 * `details`. The attribute `hidden` always hides.
 *
 * | class | on | for |
 * |---|---|---|
 * | `page` | `main` | the column of the content, centered |
 * | `bar` | `header`, any row | a row that wraps, with space in between; the first element takes what is left |
 * | `row` | any | a row that wraps, from the left |
 * | `card` | `section`, `article` | a surface with a border; `flush` if its content brings its own padding |
 * | `grid` | any | as many columns as fit; `narrow` for tiles, `wide` for charts |
 * | `tiles`, `tile` | `dl`, `div` in it | numbers with their names: `dt` and `dd` |
 * | `split` | any | a list beside what is selected in it; one below the other on phones |
 * | `list` | `ul` | rows that can be selected: links or buttons, `aria-current="true"` for the selected one |
 * | `button` | `a` | a link that looks like a button |
 * | `primary`, `danger`, `quiet` | `button`, `.button` | the main action, one that destroys, one that stays in the background |
 * | `field` | `div` | a `label` above its input, and a `.hint` below |
 * | `tabs` | `nav`, `div` | buttons or links of which one has `aria-selected="true"` or `aria-current` |
 * | `badge` | `span` | a state; with `good`, `warn`, `bad` or `info`. The text says it, too: color is never alone |
 * | `note` | `p`, `div` | a message in a box; with `good`, `warn`, `bad` or `info` |
 * | `empty` | `p`, `div` | what is shown where there is nothing yet |
 * | `muted`, `small`, `number`, `mono`, `nowrap`, `break` | any | secondary text, small text, digits of one width, fixed pitch, no line breaks, breaks anywhere |
 * | `good`, `warn`, `bad` | any text | the color of a state |
 * | `scroll` | `div` around `table` or `pre` | scrolls sideways instead of widening the page; give it `tabindex="0"` and a label |
 * | `stack` | `table` | on phones, each row is a block; each cell is named by its attribute `data-label` |
 * | `hidden-text` | any | for screen readers alone |
 * | `key`, `swatch` | `ul`, `span` in it | the key of a chart; `series-1` to `series-3` color a swatch, and shapes in an SVG |
 *
 * Custom properties: `--background`, `--surface`, `--sunken`, `--text`, `--muted`, `--line` (decoration), `--outline` (what has to
 * be seen, such as the edge of an input), `--accent`, `--on-accent`, `--good`, `--warn`, `--bad`, `--info` and each of these four
 * with `-surface`, `--series-1` to `--series-3`, `--focus`; `--space-1` (4 px) to `--space-6` (48 px); `--radius`, `--font`,
 * `--font-mono`, `--shadow`. All pairs that are used as text have a contrast of 4.5 or more, and shapes of 3 or more.
 */

/** The complete stylesheet. */
export const css: string = `:root {
  color-scheme: light dark;
  --background: #f6f7f9;
  --surface: #ffffff;
  --sunken: #eef1f5;
  --text: #19212c;
  --muted: #556070;
  --line: #dce1e8;
  --outline: #7b8798;
  --accent: #1659b7;
  --on-accent: #ffffff;
  --good: #0b6b4a;
  --good-surface: #e3f4ec;
  --warn: #855000;
  --warn-surface: #fdf1d9;
  --bad: #b3261e;
  --bad-surface: #fdeae8;
  --info: #1659b7;
  --info-surface: #e6effb;
  --series-1: #0072b2;
  --series-2: #d55e00;
  --series-3: #7b8798;
  --focus: #1659b7;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%);
  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-5: 1.5rem;
  --space-6: 3rem;
  --radius: 8px;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --font-mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --background: #0f1319;
    --surface: #171d26;
    --sunken: #1f2732;
    --text: #e7ebf1;
    --muted: #a3afbf;
    --line: #2b3442;
    --outline: #738197;
    --accent: #7db4f5;
    --on-accent: #0c1420;
    --good: #6ed3a8;
    --good-surface: #12322a;
    --warn: #f0be62;
    --warn-surface: #362a12;
    --bad: #ff9d94;
    --bad-surface: #3d1d1c;
    --info: #7db4f5;
    --info-surface: #162c47;
    --series-1: #56b4e9;
    --series-2: #f28e3c;
    --series-3: #8592a6;
    --focus: #9cc7fa;
    --shadow: none;
  }
}

*, *::before, *::after {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

html {
  font: 15px/1.5 var(--font);
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}

body {
  margin: 0;
  background: var(--background);
  color: var(--text);
}

h1, h2, h3 {
  margin: 0;
  line-height: 1.25;
  font-weight: 600;
}

h1 {
  font-size: 1.4rem;
  letter-spacing: -0.01em;
}

h2 {
  font-size: 1.05rem;
}

h3 {
  font-size: 0.95rem;
}

p {
  margin: 0;
}

a {
  color: var(--accent);
  text-underline-offset: 0.15em;
}

:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
  border-radius: 4px;
}

code, pre, .mono {
  font-family: var(--font-mono);
  font-size: 0.9em;
}

pre {
  margin: 0;
  padding: var(--space-3) var(--space-4);
  overflow-x: auto;
  background: var(--sunken);
  border-radius: var(--radius);
}

summary {
  cursor: pointer;
}

.page {
  max-width: 76rem;
  margin: 0 auto;
  padding: var(--space-5) var(--space-4) var(--space-6);
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: var(--space-5);
}

.bar, .row {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--space-2) var(--space-3);
}

.bar > :first-child {
  margin-right: auto;
}

.card {
  min-width: 0;
  padding: var(--space-4);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  box-shadow: var(--shadow);
}

.card.flush {
  padding: 0;
  overflow: hidden;
}

.card > h2:first-child {
  margin-bottom: var(--space-1);
}

.grid {
  display: grid;
  gap: var(--space-4);
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
}

.grid.narrow {
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 9rem), 1fr));
}

.grid.wide {
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
}

.split {
  display: grid;
  gap: var(--space-4);
  grid-template-columns: minmax(16rem, 24rem) minmax(0, 1fr);
  align-items: start;
}

.tiles {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
  gap: var(--space-3);
  margin: 0;
}

.tile {
  padding: var(--space-3) var(--space-4);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  box-shadow: var(--shadow);
}

.tile dt {
  color: var(--muted);
  font-size: 0.85rem;
}

.tile dd {
  margin: 0;
  font-size: 1.45rem;
  line-height: 1.3;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
}

button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: var(--space-2);
  min-height: 2.25rem;
  padding: 0 var(--space-3);
  font: inherit;
  font-weight: 500;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--outline);
  border-radius: 6px;
  text-decoration: none;
  cursor: pointer;
}

button:hover, .button:hover {
  background: var(--sunken);
}

button.primary, .button.primary {
  color: var(--on-accent);
  background: var(--accent);
  border-color: var(--accent);
}

button.danger, .button.danger {
  color: var(--bad);
  border-color: var(--bad);
}

button.quiet, .button.quiet {
  color: var(--accent);
  background: none;
  border-color: transparent;
}

button.primary:hover, .button.primary:hover {
  filter: brightness(1.08);
}

button:disabled, [aria-disabled="true"] {
  opacity: 0.55;
  cursor: not-allowed;
}

input, select, textarea {
  min-height: 2.25rem;
  padding: var(--space-1) var(--space-3);
  max-width: 100%;
  font: inherit;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--outline);
  border-radius: 6px;
}

input[type="checkbox"], input[type="radio"] {
  min-height: 0;
  width: 1rem;
  height: 1rem;
  accent-color: var(--accent);
}

input:focus-visible, select:focus-visible, textarea:focus-visible {
  outline-offset: 0;
  border-radius: 6px;
}

::placeholder {
  color: var(--muted);
  opacity: 1;
}

[aria-invalid="true"] {
  border-color: var(--bad);
}

.field {
  display: grid;
  gap: var(--space-1);
}

.field > label {
  font-weight: 500;
}

.hint {
  color: var(--muted);
  font-size: 0.87rem;
}

.tabs {
  display: flex;
  gap: var(--space-4);
  overflow-x: auto;
  scrollbar-width: none;
  border-bottom: 1px solid var(--line);
}

.tabs > * {
  min-height: 2.5rem;
  padding: 0 var(--space-1);
  color: var(--muted);
  background: none;
  border: 0;
  border-bottom: 2px solid transparent;
  border-radius: 0;
  text-decoration: none;
  white-space: nowrap;
}

.tabs > a {
  display: inline-flex;
  align-items: center;
}

.tabs > [aria-selected="true"], .tabs > [aria-current]:not([aria-current="false"]) {
  color: var(--text);
  border-bottom-color: var(--accent);
}

.tabs > :focus-visible {
  outline-offset: -2px;
}

table {
  width: 100%;
  border-collapse: collapse;
}

caption {
  padding: 0 0 var(--space-2);
  text-align: left;
  color: var(--muted);
}

th, td {
  padding: var(--space-2) var(--space-4) var(--space-2) 0;
  text-align: left;
  vertical-align: top;
  border-bottom: 1px solid var(--line);
}

th:last-child, td:last-child {
  padding-right: 0;
}

thead th {
  color: var(--muted);
  font-size: 0.85rem;
  font-weight: 500;
  white-space: nowrap;
}

tbody th {
  font-weight: 500;
}

tbody tr:last-child > * {
  border-bottom: 0;
}

td {
  font-variant-numeric: tabular-nums;
}

.scroll {
  overflow-x: auto;
}

.list {
  margin: 0;
  padding: 0;
  list-style: none;
}

.list > li + li {
  border-top: 1px solid var(--line);
}

.list > li > a, .list > li > button {
  display: block;
  width: 100%;
  padding: var(--space-3) var(--space-4);
  color: inherit;
  background: none;
  border: 0;
  border-left: 3px solid transparent;
  border-radius: 0;
  font-weight: 400;
  text-align: left;
  text-decoration: none;
}

.list > li > :hover {
  background: var(--sunken);
}

.list > li > [aria-current="true"] {
  background: var(--info-surface);
  border-left-color: var(--accent);
}

.list > li > :focus-visible {
  outline-offset: -2px;
}

.badge {
  display: inline-block;
  padding: 0 var(--space-2);
  font-size: 0.82rem;
  font-weight: 500;
  line-height: 1.6;
  color: var(--muted);
  background: var(--sunken);
  border-radius: 999px;
  white-space: nowrap;
}

.note {
  padding: var(--space-2) var(--space-4);
  background: var(--sunken);
  border-radius: var(--radius);
  border-left: 3px solid var(--outline);
}

.badge.good, .note.good {
  background: var(--good-surface);
}

.badge.warn, .note.warn {
  background: var(--warn-surface);
}

.badge.bad, .note.bad {
  background: var(--bad-surface);
}

.badge.info, .note.info {
  background: var(--info-surface);
}

.good {
  color: var(--good);
}

.warn {
  color: var(--warn);
}

.bad {
  color: var(--bad);
}

.info {
  color: var(--info);
}

.note.good, .note.warn, .note.bad, .note.info {
  border-left-color: currentcolor;
}

.empty {
  padding: var(--space-5) var(--space-4);
  color: var(--muted);
  text-align: center;
}

.muted {
  color: var(--muted);
}

.small {
  font-size: 0.87rem;
}

.number {
  font-variant-numeric: tabular-nums;
}

.nowrap {
  white-space: nowrap;
}

.break {
  overflow-wrap: anywhere;
}

.hidden-text {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  padding: 0;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
  border: 0;
}

.key {
  display: flex;
  flex-wrap: wrap;
  gap: var(--space-1) var(--space-4);
  margin: 0;
  padding: 0;
  list-style: none;
  color: var(--muted);
  font-size: 0.87rem;
}

.swatch {
  display: inline-block;
  width: 0.75rem;
  height: 0.75rem;
  margin-right: var(--space-2);
  border-radius: 2px;
  vertical-align: -0.08em;
}

.series-1 {
  fill: var(--series-1);
  background: var(--series-1);
}

.series-2 {
  fill: var(--series-2);
  background: var(--series-2);
}

.series-3 {
  fill: var(--series-3);
  background: var(--series-3);
}

@media (max-width: 860px) {
  .split {
    grid-template-columns: minmax(0, 1fr);
  }
}

@media (max-width: 480px) {
  .page {
    padding: var(--space-4) var(--space-3) var(--space-5);
    gap: var(--space-4);
  }

  .card {
    padding: var(--space-3);
  }

  .tiles {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--space-2);
  }

  .tile {
    padding: var(--space-2) var(--space-3);
  }

  button, .button, input, select {
    min-height: 2.75rem;
  }

  input, select, textarea {
    font-size: 16px;
  }

  .stack thead {
    position: absolute;
    clip-path: inset(50%);
  }

  .stack, .stack tbody, .stack tr, .stack th, .stack td {
    display: block;
  }

  .stack tr {
    padding: var(--space-2) 0;
    border-bottom: 1px solid var(--line);
  }

  .stack tr:last-child {
    border-bottom: 0;
  }

  .stack tbody th, .stack td {
    display: flex;
    gap: var(--space-3);
    padding: 2px 0;
    border: 0;
    overflow-wrap: anywhere;
  }

  .stack .badge {
    white-space: normal;
    border-radius: var(--radius);
  }

  .stack [data-label]::before {
    content: attr(data-label);
    flex: 0 0 7rem;
    color: var(--muted);
    font-weight: 400;
  }
}

@media (prefers-reduced-motion: reduce) {
  * {
    animation: none !important;
    transition: none !important;
    scroll-behavior: auto !important;
  }
}

@media (forced-colors: active) {
  .badge, .swatch, .tile {
    border: 1px solid;
  }
}
`
