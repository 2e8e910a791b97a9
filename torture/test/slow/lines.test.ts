import experiment from "../../experiments/lines.ts"
import { small } from "../support/small.ts"

small(experiment)
