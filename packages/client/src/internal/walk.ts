/** Walks as async iterables. */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import type { Walk, WalkIterator } from "../Walk.ts"
import { type Caller, traced } from "./caller.ts"
import { fromCause } from "./errors.ts"
import type { Pull, Pulled } from "./pull.ts"
import { onAbort } from "./run.ts"

/** What a walk needs of its connection. */
export interface Source<out A> extends Pick<Walk<A>, "toArray"> {
  readonly signal: AbortSignal | undefined
  readonly caller: Caller
  /** Begins to pull, for an iterator that is used for the first time. */
  readonly begin: (iterator: object) => Pull<A>
  /** The error of a connection that has been closed. */
  readonly closed: () => unknown
}

export const make = <A>(source: Source<A>): Walk<A> => ({
  [Symbol.asyncIterator]: () => new Items(source),
  toArray: source.toArray,
  toReadableStream: () => {
    const items = new Items(source)
    return new ReadableStream<A>({
      pull: (controller) =>
        items.next().then((result) => {
          if (result.done === true) controller.close()
          else controller.enqueue(result.value)
        }),
      cancel: () => items.return().then(constVoid)
    }, { highWaterMark: 0 })
  }
})

const done = { done: true, value: undefined } as const

/**
 * One run of a walk. Items of a page that has arrived are handed out without a fiber. Behaves as an async generator
 * does, except that `return` does not wait for a pending `next`: it aborts the request.
 */
class Items<A> implements WalkIterator<A> {
  readonly #source: Source<A>
  #pull: Pull<A> | undefined
  #items: ReadonlyArray<A> = []
  #index = 0
  #isDone = false
  /** Settles when the page that is being loaded has arrived or failed. Never rejects. */
  #loading: Promise<void> | undefined

  constructor(source: Source<A>) {
    this.#source = source
  }

  readonly next = (): Promise<IteratorResult<A, undefined>> => {
    if (this.#loading !== undefined) return this.#loading.then(this.next)
    if (this.#isDone) return Promise.resolve(done)
    const { caller, closed, signal } = this.#source
    if (signal?.aborted === true) return this.throw(signal.reason)
    const error = closed()
    if (error !== undefined) return this.throw(traced(error, caller))
    if (this.#index < this.#items.length) {
      return Promise.resolve({ done: false, value: this.#items[this.#index++]! })
    }
    const loaded = this.#load()
    this.#loading = loaded.then(constVoid, constVoid)
    return loaded
  }

  readonly return = (): Promise<IteratorReturnResult<undefined>> => this.#stop().then(() => done)

  readonly throw = (error: unknown): Promise<never> => this.#stop().then(() => Promise.reject(error))

  #stop(): Promise<void> {
    this.#isDone = true
    this.#items = []
    return this.#pull === undefined ? Promise.resolve() : this.#pull.stop()
  }

  #load(): Promise<IteratorResult<A, undefined>> {
    const pull = this.#pull ??= this.#source.begin(this)
    const release = onAbort(this.#source.signal, () => void pull.stop())
    return pull.next().then((pulled) => {
      release()
      this.#loading = undefined
      return this.#receive(pulled)
    })
  }

  #receive(pulled: Pulled<A>): Promise<IteratorResult<A, undefined>> {
    if (Exit.isSuccess(pulled)) {
      if (!this.#isDone) {
        this.#items = Chunk.toReadonlyArray(pulled.value)
        this.#index = 0
      }
      return this.next()
    }
    const { caller, closed, signal } = this.#source
    if (Cause.isInterruptedOnly(pulled.cause)) {
      const wasReturned = this.#isDone
      if (wasReturned) return this.return()
      return this.throw(signal?.aborted === true ? signal.reason : traced(closed(), caller))
    }
    return Option.match(Cause.flipCauseOption(pulled.cause), {
      onNone: () => this.return(),
      onSome: (cause) => this.throw(traced(fromCause(cause), caller))
    })
  }
}
