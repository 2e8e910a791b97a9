/** `npm run setup`, and the first import of most other scripts: installs everything, unless it is installed. */
import { install } from "./install.mjs"

await install(".")
