import experiment from "../../experiments/intermediaries.ts"
import { small } from "../support/small.ts"

small(experiment)
