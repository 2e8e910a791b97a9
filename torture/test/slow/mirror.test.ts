import experiment from "../../experiments/mirror.ts"
import { small } from "../support/small.ts"

small(experiment)
