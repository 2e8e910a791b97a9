/** Processes all contacts, prints each, and waits for a line after each: a test kills it anywhere. */
import { Mailstream } from "@mailstream/client"
import { fileStore } from "@mailstream/client/file-store"

const [directory = ""] = process.argv.slice(2)
const client = Mailstream.fromEnv()

await client.contacts.process("sync", (contact) => {
  process.stdout.write(`${contact.id}\n`)
  return new Promise<void>((resolve) => process.stdin.once("data", () => resolve()))
}, { store: fileStore(directory), pageSize: 10 })

process.stdout.write("end\n")
await client.close()
process.stdin.destroy()
