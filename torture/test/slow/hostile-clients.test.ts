import experiment from "../../experiments/hostile-clients.ts"
import { small } from "../support/small.ts"

small(experiment)
