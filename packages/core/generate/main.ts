/** `npm run generate`: writes the code that follows from the declaration of each list. */
import { write } from "./files.ts"

write()
