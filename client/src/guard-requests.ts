import { MusterProblem } from './problem.ts'
import type { Send } from './retries.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Sends requests to the service only. Neither a caller who builds an address from an answer nor a redirect can lead the
 * credentials to another server: the service itself never redirects.
 */
export function guardRequests(send: Send, address: string): Send {
  const { origin } = new URL(address)
  return async (request) => {
    const target = new URL(request.url)
    if (target.origin !== origin)
      throw new MusterProblem(
        { code: 'ForeignAddress', detail: `${target.origin} is not the service ${origin}. Nothing was sent there.` },
        0,
      )
    const response = await send(new Request(request, { redirect: 'manual' }))
    // Browsers hide the status and the target of a redirect.
    if (!redirects.has(response.status) && response.type !== 'opaqueredirect') return response
    await response.body?.cancel()
    const to = response.headers.get('location') ?? 'another address'
    const detail = `${origin} redirects to ${to}, which is not followed. Use the address of the service itself.`
    throw new MusterProblem({ code: 'UnexpectedRedirect', detail }, response.status || 302)
  }
}
