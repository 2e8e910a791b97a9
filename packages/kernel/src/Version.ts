/** The version of this package; a test compares what is sent with `package.json`. */
export const version = "1.0.0"
