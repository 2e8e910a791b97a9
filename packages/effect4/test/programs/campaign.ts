/** The campaign that the programs of both lines run: to so many people, in batches of five. */
export const [baseUrl = "", database = "", count = "0"] = process.argv.slice(2)

export const isFile = !database.startsWith("postgres")

export const people = Array.from({ length: Number(count) }, (_, index) => ({
  id: `person-${index}`,
  email: `person-${index}@example.com`
}))

export const emailTo = ({ email }: { readonly email: string }) => ({
  from: "ada@example.com",
  to: email,
  subject: "News",
  text: "Hello!"
})

export const options = { batchSize: 5, concurrency: 2, lease: 300, settle: 0 }
