/** New secrets. */

/** 32 random bytes in Base64 behind a prefix. */
export const make = (prefix: string): string =>
  prefix + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
