/** The version of this package. A test compares it with `package.json`. */

export const version: string = "1.0.0"
