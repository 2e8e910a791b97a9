import experiment from "../../experiments/mutation.ts"
import { small } from "../support/small.ts"

small(experiment)
