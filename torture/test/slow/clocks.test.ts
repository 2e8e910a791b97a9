import experiment from "../../experiments/clocks.ts"
import { small } from "../support/small.ts"

small(experiment)
