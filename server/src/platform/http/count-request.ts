import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../general-problems.ts'
import type { Count } from '../load/rate-limit.ts'
import type { ProblemKind } from '../problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is counted against a limit. */
    rateLimitCount: Count | undefined
  }
}

/** Shows the state of the limit in every answer to a counted request, also in one that refuses it for another reason. */
export function showRateLimits(app: FastifyInstance): void {
  app.decorateRequest('rateLimitCount', undefined)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.rateLimitCount) reply.headers(request.rateLimitCount.headers)
    done(null, payload)
  })
}

/** Counts the request. Throws the refusal if that exceeds the limit. */
export async function countRequest(
  request: FastifyRequest,
  counting: Promise<Count>,
  refusal: ProblemKind = tooManyRequests,
): Promise<void> {
  request.rateLimitCount = await counting
  if (request.rateLimitCount.exceeded) throw refusal()
}
