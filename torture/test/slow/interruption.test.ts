import experiment from "../../experiments/interruption.ts"
import { small } from "../support/small.ts"

small(experiment)
