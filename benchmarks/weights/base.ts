/** What a program weighs that asks with `effect` and `HttpClient` alone. */
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Console, Effect, Stream } from "effect"

const program = Effect.flatMap(HttpClient.HttpClient, (client) => client.get("http://127.0.0.1:9/contacts")).pipe(
  Effect.flatMap((response) => response.json),
  Stream.fromEffect,
  Stream.runForEach((page) => Console.log(page))
)

Effect.runFork(process.argv[2] === "load" ? Effect.void : Effect.provide(program, FetchHttpClient.layer))
