import { createMusterClient, type MusterClient, type Send } from '../src/index.ts'

export const address = 'https://muster.example.org'

/** Answers a request of a client. Undefined: the connection breaks. `attempt` begins with 1. */
export type Answer = (request: Request, attempt: number) => Response | undefined | Promise<Response | undefined>

/** A service that answers as a test says, and lists what it is sent. */
export function fakeService(answer: Answer): { sent: Request[]; send: Send } {
  const sent: Request[] = []
  return {
    sent,
    async send(request) {
      sent.push(request.clone())
      const response = await answer(request, sent.length)
      if (response) return response
      throw new TypeError('fetch failed')
    },
  }
}

type Options = Partial<Parameters<typeof createMusterClient>[0]>

/** A client of such a service. */
export function clientOf(answer: Answer, options: Options = {}): { client: MusterClient; sent: Request[] } {
  const { sent, send } = fakeService(answer)
  return { client: createMusterClient({ address, send, ...options }), sent }
}

export const pathOf = ({ url }: Request): string => new URL(url).pathname
