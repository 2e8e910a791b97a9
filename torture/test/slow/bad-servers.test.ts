import experiment from "../../experiments/bad-servers.ts"
import { small } from "../support/small.ts"

small(experiment)
