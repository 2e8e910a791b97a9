import experiment from "../../experiments/faulty-network.ts"
import { small } from "../support/small.ts"

small(experiment)
