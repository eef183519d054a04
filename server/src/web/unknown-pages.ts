import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnswerUnknown } from '../platform/http/send-problem.ts'
import { sendConsole } from './send-console.ts'

const firstSegment = (url: string) => /^\/([^/?#]*)/.exec(url)?.[1] ?? ''

/** Whether a person opens the address in a browser. Scripts of pages and other programs do not ask for HTML. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
}

/**
 * Answers people who open an address that does not exist with the console, which says so in their language. Below the addresses of
 * the API and of the channels, everybody gets a problem. Call it before routes are added.
 */
export function answerUnknownPages(app: FastifyInstance, folder: string): AnswerUnknown {
  const sections = new Set<string>()
  app.addHook('onRoute', ({ url }) => void sections.add(firstSegment(url)))
  return (request, reply) =>
    isNavigation(request) && !sections.has(firstSegment(request.url)) ? sendConsole(reply.code(404), folder) : undefined
}
