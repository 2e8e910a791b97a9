/**
 * Emails through a server that accepts them and loses the response, breaks it or responds late, while senders and server are
 * killed at random moments. A sender that was killed repeats what it had not confirmed, with the same keys.
 */
import * as Experiment from "../Experiment.ts"
import * as Service from "../support/service.ts"
import { type Size, trial } from "./sends/trial.ts"

export default Experiment.make<Size>({
  name: "sends",
  promise:
    "each email is accepted at most once, exactly once if `send` succeeded, never if it was reported as not processed",
  small: { seed: 1, sends: 150, senders: 2, kills: 2, serverKills: 3 },
  long: { seed: 1, sends: 5000, senders: 4, kills: 12, serverKills: 25 },
  run: (size) => Service.onEach(["SQLite", "PostgreSQL"], trial(size), { concurrency: 2 })
})
