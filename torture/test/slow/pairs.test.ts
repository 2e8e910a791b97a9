import experiment from "../../experiments/pairs.ts"
import { small } from "../support/small.ts"

small(experiment)
