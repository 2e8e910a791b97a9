/**
 * From a terminal? The program `mailstream`, and the parts that it is made of.
 *
 * @since 0.1.0
 */
export * as Csv from "./Csv.ts"
export * as Format from "./Format.ts"
export * as Main from "./Main.ts"
export * as Table from "./Table.ts"
export * as Text from "./Text.ts"
