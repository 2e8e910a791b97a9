/**
 * Learns of changes as they happen. Browsers open only six connections to a server: so one of the tabs listens, and tells the
 * others.
 */

const name = `mailstream-inbox-${location.host}`

/** `onChange` runs whenever something has changed, `onState` with whether the server can be reached. */
export const listen = (onChange, onState) => {
  const channel = new BroadcastChannel(name)
  const tell = (message) => {
    channel.postMessage(message)
    hear(message)
  }
  const hear = ({ isOpen, isChanged }) => {
    onState(isOpen)
    if (isChanged) onChange()
  }
  channel.addEventListener("message", ({ data }) => data.isAsking ? last !== undefined && tell(last) : hear(data))

  let last = undefined
  const open = () => {
    const source = new EventSource("/inbox/api/live")
    let wasOpen = undefined
    source.addEventListener("open", () => {
      // What has changed while there was no connection is unknown.
      tell({ isOpen: true, isChanged: wasOpen === false })
      wasOpen = true
      last = { isOpen: true, isChanged: false }
    })
    source.addEventListener("changed", () => tell({ isOpen: true, isChanged: true }))
    source.addEventListener("error", () => {
      wasOpen = false
      last = { isOpen: false, isChanged: false }
      tell(last)
      // A response that is not a stream ends it for good.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 5000)
    })
  }

  // The lock is for secure contexts alone. It is kept until the tab is closed.
  if (navigator.locks === undefined) open()
  else {
    channel.postMessage({ isAsking: true })
    navigator.locks.request(name, () => {
      open()
      return new Promise(() => {})
    })
  }
}
