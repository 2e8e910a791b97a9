/** The version of this package, which workers report; a test compares it with `package.json`. */
export const version = "1.0.0"
