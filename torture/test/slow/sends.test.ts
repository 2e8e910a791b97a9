import experiment from "../../experiments/sends.ts"
import { small } from "../support/small.ts"

small(experiment)
