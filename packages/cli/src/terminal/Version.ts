/** The version of this package; a test compares what is printed with `package.json`. */
export const version = "0.1.0"
