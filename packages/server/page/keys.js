/** The keyboard. */

/** Moves between the rows of the list. */
const move = (list, step) => {
  const rows = [...list.querySelectorAll("a.item")]
  const focused = rows.indexOf(document.activeElement)
  const from = focused === -1 ? rows.findIndex((row) => row.getAttribute("aria-current") === "true") : focused
  const next = rows[from === -1 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: "nearest" })
}

const steps = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

export const listen = ({ back, help, list, reload, search }) =>
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return
    if (event.key === "Escape") {
      if (search.value !== "") {
        search.value = ""
        reload()
      } else if (document.activeElement === search) search.blur()
      else back()
      return
    }
    const isTyping = event.target.closest("input, select, textarea, pre") !== null
    if (event.target === search && (event.key === "ArrowDown")) {
      event.preventDefault()
      move(list, 1)
      return
    }
    if (isTyping) return
    if (event.key in steps) {
      event.preventDefault()
      move(list, steps[event.key])
    } else if (event.key === "/" && !search.parentElement.hidden) {
      event.preventDefault()
      search.focus()
      search.select()
    } else if (event.key === "?") {
      event.preventDefault()
      help.showModal()
    }
  })
