/** What is for some runtimes alone. */
export { patch } from "#node"
