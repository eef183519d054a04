import type { ProblemCode } from '@muster/client'
import { affecting, etagOf, FakeAnswer, type FakeRequest, type FakeService, problem } from './fake-service.ts'

/** A thing of the fake service that people read, change and delete. Changes of an older version are refused. */
export class FakeResource<Value extends object> {
  value: Value | undefined
  readonly #missing: ProblemCode
  constructor(value: Value, missing: ProblemCode) {
    this.value = value
    this.#missing = missing
  }

  /** What somebody else changes meanwhile. */
  change(changes: Partial<Value>): void {
    if (this.value) this.value = { ...this.value, ...changes }
  }

  read = (): Value | FakeAnswer => this.value ?? problem(404, this.#missing)

  /** Carries the change out, unless it is based on an older version. A dry run changes nothing. The change may affect computers. */
  update =
    (apply: (request: FakeRequest, before: Value) => Value | undefined, computers?: number) =>
    (request: FakeRequest): Value | FakeAnswer => {
      if (!this.value) return problem(404, this.#missing)
      const seen = request.headers.get('if-match')
      if (seen !== null && seen !== etagOf(this.value)) return problem(412, 'PreconditionFailed')
      const after = apply(request, this.value)
      if (!request.query.has('dryRun')) this.value = after
      if (computers !== undefined) return affecting(computers, after)
      return after ?? new FakeAnswer(undefined)
    }

  /** Answers reads, complete changes and deletions at this address. */
  serve(service: FakeService, path: string): this {
    service.onAny(`GET ${path}`, this.read)
    service.onAny(
      `PUT ${path}`,
      this.update(({ body }, before) => ({ ...before, ...(body as Partial<Value>) })),
    )
    service.onAny(
      `DELETE ${path}`,
      this.update(() => undefined),
    )
    return this
  }
}
