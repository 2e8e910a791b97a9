import { checks as ofCopies } from "../../../packages/mirror/test/support/checks.ts"
import { checks as ofFiles } from "../../../packages/sql/test/support/checks.ts"
import type { Door } from "../Check.ts"

/** A SQLite file, and a copy in one: the tests of the packages. */
const door: Door = () => ({ ...ofFiles, ...ofCopies })

export default door
