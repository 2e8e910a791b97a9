/**
 * Before each test file: `layer` of `@effect/vitest` replaces the methods of the one `it` there is with those of its
 * layer, for good. The files share their modules, so the next file would run on that layer, and its clock.
 */
import { beforeEach, it, makeMethods } from "@effect/vitest"

makeMethods(it)

/** Tests that wait for nothing could follow each other so closely that vitest, which has a minute, hears nothing from them. */
beforeEach(() => new Promise<void>((resolve) => setImmediate(resolve)))
