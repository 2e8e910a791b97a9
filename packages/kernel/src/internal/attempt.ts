/** What a function returns; `undefined` if it throws. */
export const attempt = <A>(make: () => A): A | undefined => {
  try {
    return make()
  } catch {
    return undefined
  }
}
