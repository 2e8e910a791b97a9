/** Status and headers of a response. Header names are in lower case. */
export interface Head {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
}

export const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300

/** How a body is compressed, if it is. */
export const encodingOf = ({ headers }: Pick<Head, "headers">): string | undefined => {
  const encoding = headers["content-encoding"]
  return encoding?.toLowerCase() === "identity" ? undefined : encoding
}

/** What a body was found to be, and how it is compressed. */
export const describe = (head: Pick<Head, "headers">, found: string): string => {
  const encoding = encodingOf(head)
  return encoding === undefined ? found : `${found}, with content-encoding ${encoding}`
}
