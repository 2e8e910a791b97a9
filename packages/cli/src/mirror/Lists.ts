/** The lists that a copy can hold, in the order in which they are copied: owners before what they own. */
export { copied as all, defaults, type Name, names } from "@mailstream/mirror/Lists"
