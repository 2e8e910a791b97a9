import experiment from "../../experiments/cluster.ts"
import { small } from "../support/small.ts"

small(experiment)
