/**
 * Before each test file: `layer` of `@effect/vitest` replaces the methods of the one `it` there is with those of its
 * layer, for good. The files share their modules, so the next file would run on that layer, and its clock.
 */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
