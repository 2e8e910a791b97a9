/** `npm run setup`, and the first import of the other scripts: installs what is needed, unless it is installed. */
import { install } from "./install.mjs"

await install(".")
