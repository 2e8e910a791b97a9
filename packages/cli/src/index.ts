/**
 * The program `mailstream`, and the formats that it writes, for tests in this repository. The published package is the
 * program alone: its Effect is its own, and so are its modules.
 *
 * @since 1.0.0
 */
export * as Main from "./Main.ts"
export * as Csv from "./output/Csv.ts"
export * as Fields from "./output/Fields.ts"
export * as Format from "./output/Format.ts"
export * as Table from "./output/Table.ts"
export * as Text from "./terminal/Text.ts"
