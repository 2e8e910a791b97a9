/** The experiments, in the order of the table. */
import type { Experiment } from "./Experiment.ts"

export const experiments: { readonly [name: string]: () => Promise<{ readonly default: Experiment }> } = {}
