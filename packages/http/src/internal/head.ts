import type { Failure, Head } from "../Transport.ts"

export const isSuccess = ({ status }: Pick<Head, "status">): boolean => status >= 200 && status < 300

/** What had arrived of the response, if anything. */
export const headOf = (failure: Failure): Head | undefined => "head" in failure ? failure.head : undefined

/** How a body is compressed, if it is. */
export const encodingOf = ({ headers }: Head): string | undefined => {
  const encoding = headers["content-encoding"]
  return encoding?.toLowerCase() === "identity" ? undefined : encoding
}

/** What a body was found to be, and how it is compressed. */
export const describe = (head: Head, found: string): string => {
  const encoding = encodingOf(head)
  return encoding === undefined ? found : `${found}, with content-encoding ${encoding}`
}
