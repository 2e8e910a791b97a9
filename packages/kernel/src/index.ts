/**
 * What the packages share. It promises nothing by itself: modules and names may change in any release.
 *
 * The index has what works without Effect. A module that needs it is imported by its own name:
 * `@mailstream/kernel/Fibers`. So is `@mailstream/kernel/Design`, which only pages need.
 */
export * as Utf8 from "./Utf8.ts"
