/** What the codes of errors say, as Node and those who use its names report them. */
import type { Cause } from "./tls.ts"

/** The codes of failures in which not a byte of the request was sent. */
const unsent: ReadonlySet<string> = /* #__PURE__ */ new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused"
])

/** Whether not a byte of the request was sent. */
export const isUnsent = ({ code, isSent }: Cause): boolean => !isSent && unsent.has(code)

/** Whether a body is not compressed as declared. One that is merely truncated (`Z_BUF_ERROR`) is lost. */
export const isMiscoded = ({ code }: Cause): boolean =>
  code !== "Z_BUF_ERROR" && /^(Z_|ERR__ERROR_|ERR_BROTLI_|ZSTD_|ZlibError|BrotliDecompressionError)/.test(code)
