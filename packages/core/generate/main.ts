import { write } from "./files.ts"

write()
