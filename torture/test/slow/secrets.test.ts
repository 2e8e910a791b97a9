import experiment from "../../experiments/secrets.ts"
import { small } from "../support/small.ts"

small(experiment)
