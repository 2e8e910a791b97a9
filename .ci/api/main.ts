/** `npm run api`: writes what each package exports to its `api.md`. */
import { writeFileSync } from "node:fs"
import { reports } from "./reports.ts"

for (const { file, text } of await reports()) writeFileSync(file, text)
