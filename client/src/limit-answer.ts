import { MusterProblem } from './problem.ts'

export type AnswerLimits = {
  /** How large an answer may be. */
  maxBytes: number
  /** How long an answer may take from its first byte to its last. */
  maxMs: number
}

const mebibyte = 1024 * 1024

/** Far beyond the largest page of a list, and far below what would fill the memory of a computer. */
export const defaultLimits: AnswerLimits = { maxBytes: 64 * mebibyte, maxMs: 300_000 }

/** Chromium gives the response to such a status an empty body, with which no response can be made. */
const withoutBody = new Set([204, 205, 304])

/** The response with a body that fails when it exceeds the limits, and then ends the connection. */
export function limitAnswer(response: Response, limits: Partial<AnswerLimits> = {}): Response {
  const { maxBytes, maxMs } = { ...defaultLimits, ...limits }
  if (!response.body || withoutBody.has(response.status)) return response
  const fail = (detail: string) => new MusterProblem({ code: 'InvalidAnswer', detail }, response.status)
  const end = new AbortController()
  AbortSignal.timeout(maxMs).addEventListener('abort', () =>
    end.abort(fail(`The answer of the service took longer than ${maxMs / 1_000} seconds.`)),
  )
  let size = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength
      if (size <= maxBytes) controller.enqueue(part)
      else controller.error(fail(`The answer of the service is larger than ${maxBytes} bytes.`))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counter, { signal: end.signal }), { status, statusText, headers })
}
