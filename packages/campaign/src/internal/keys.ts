/** A new idempotency key: the name of the campaign, and 96 random bits. */
export const fresh = (campaign: string): string =>
  `${campaign}_${
    crypto.getRandomValues(new Uint8Array(12)).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "")
  }`
