import experiment from "../../experiments/load.ts"
import { small } from "../support/small.ts"

small(experiment)
