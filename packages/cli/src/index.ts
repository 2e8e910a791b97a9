/**
 * From a terminal? The program `mailstream`, and the parts that it is made of.
 *
 * @since 0.1.0
 */
export * as Main from "./Main.ts"
export * as Csv from "./output/Csv.ts"
export * as Format from "./output/Format.ts"
export * as Table from "./output/Table.ts"
export * as Text from "./terminal/Text.ts"
