import experiment from "../../experiments/pipelines.ts"
import { small } from "../support/small.ts"

small(experiment)
