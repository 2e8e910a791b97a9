/**
 * Removes a secret from text. A server that echoes it may escape it, and unescaping brings the secret back: in JSON
 * (`\u002b`, `\/`), HTML (`&#43;`) or a URL (`%2B`).
 */
export const make = (secret: string): (text: string) => string => {
  const pattern = new RegExp([...secret].map(anyForm).join(""), "gi")
  return (text) => text.replace(pattern, "<redacted>")
}

const anyForm = (character: string): string => {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  const plain = character.replace(/[^A-Za-z0-9]/, "\\$&")
  return `(?:\\\\?${plain}|\\\\u00${hex}|%${hex}|&#0*${code};|&#x0*${hex};)`
}
