import { write } from "./lists.ts"

write()
