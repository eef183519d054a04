import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client'
import type { MusterProblem } from './problem.ts'
import type { Send } from './retries.ts'

/**
 * Sends the requests of tus with those of the client: with its token, and to the service only, whatever address an answer
 * names.
 */
export function tusRequests(send: Send): HttpStack {
  return { createRequest: (method, url) => tusRequest(send, method, url), getName: () => 'muster' }
}

function tusRequest(send: Send, method: string, url: string): HttpRequest {
  const headers = new Headers()
  const interruption = new AbortController()
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => headers.set(name, value),
    getHeader: (name) => headers.get(name) ?? undefined,
    // A chunk is small, and what has arrived is known after each.
    setProgressHandler: () => {},
    async send(body: Blob | null) {
      const content = body === null ? {} : { body }
      const request = new Request(url, { method, headers, signal: interruption.signal, ...content })
      try {
        return tusResponse(await send(request))
      } catch (error) {
        // The library decides by the status whether to try again.
        const problem = findProblem(error)
        if (problem && problem.status > 0) return refusedResponse(problem)
        throw error
      }
    },
    abort: async () => interruption.abort(),
    getUnderlyingObject: () => undefined,
  }
}

function tusResponse(response: Response): HttpResponse {
  return {
    getStatus: () => response.status,
    getHeader: (name) => response.headers.get(name) ?? undefined,
    getBody: () => '',
    getUnderlyingObject: () => response,
  }
}

function refusedResponse(problem: MusterProblem): HttpResponse {
  return {
    getStatus: () => problem.status,
    getHeader: () => undefined,
    getBody: () => problem.message,
    getUnderlyingObject: () => problem,
  }
}

/** By its name: pages load uploads apart, and would otherwise need one more file for what both parts share. */
export function findProblem(error: unknown): MusterProblem | undefined {
  return error instanceof Error && error.name === 'MusterProblem' ? (error as MusterProblem) : undefined
}
