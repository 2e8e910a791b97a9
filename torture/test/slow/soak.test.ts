import experiment from "../../experiments/soak.ts"
import { small } from "../support/small.ts"

small(experiment)
