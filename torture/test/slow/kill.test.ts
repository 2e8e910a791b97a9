import experiment from "../../experiments/kill.ts"
import { small } from "../support/small.ts"

small(experiment)
