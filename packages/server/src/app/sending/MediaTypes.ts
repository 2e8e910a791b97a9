/** The types of attachments that come without one. */

const office = "application/vnd.openxmlformats-officedocument"

const types: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv"],
  ["doc", "application/msword"],
  ["docx", `${office}.wordprocessingml.document`],
  ["eml", "message/rfc822"],
  ["gif", "image/gif"],
  ["gz", "application/gzip"],
  ["htm", "text/html"],
  ["html", "text/html"],
  ["ics", "text/calendar"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["json", "application/json"],
  ["md", "text/markdown"],
  ["mp3", "audio/mpeg"],
  ["mp4", "video/mp4"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["pptx", `${office}.presentationml.presentation`],
  ["svg", "image/svg+xml"],
  ["txt", "text/plain"],
  ["vcf", "text/vcard"],
  ["wav", "audio/wav"],
  ["webp", "image/webp"],
  ["xls", "application/vnd.ms-excel"],
  ["xlsx", `${office}.spreadsheetml.sheet`],
  ["xml", "application/xml"],
  ["zip", "application/zip"]
])

/** The type that the extension of a filename stands for, in upper or lower case. */
export const ofFilename = (filename: string | null): string =>
  types.get(/\.([^.]+)$/.exec(filename ?? "")?.[1]?.toLowerCase() ?? "") ?? "application/octet-stream"
