import { sendHttpRequest } from '@muster/http'
import { publicLookup } from '../../platform/http/public-lookup.ts'
import type { SignedHeaders } from './signature.ts'
import { AddressRefused, privateNetwork, requireWebhookAddress, type WebhookSettings } from './webhook-address.ts'

/** What became of one attempt. Without a status, there was no answer. */
export type SendOutcome = { status: number | null; error: string | null; durationMs: number }

export type WebhookMessage = { url: string; headers: SignedHeaders; body: string }

/** From the first packet to the end of the headers of the answer. */
const timeoutMs = 15_000

const lookup = publicLookup(privateNetwork)

export const isDelivered = ({ status, error }: SendOutcome) => error === null && status !== null

/** Sends one message and returns what became of it. Redirects are refused, and the body of the answer is not read. */
export async function sendWebhook(
  message: WebhookMessage,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const start = performance.now()
  const outcome = (status: number | null, error: string | null): SendOutcome => ({
    status,
    error,
    durationMs: Math.round(performance.now() - start),
  })
  try {
    const response = await post(message, settings, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    response.destroy()
    const { statusCode: status = 0 } = response
    if (status >= 200 && status < 300) return outcome(status, null)
    return outcome(
      status,
      status < 400 ? 'The receiver redirects, which is refused.' : `The receiver answered ${status}.`,
    )
  } catch (error) {
    return outcome(null, describe(error as Error))
  }
}

function describe(error: Error): string {
  if (error instanceof AddressRefused) return error.message
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `The receiver did not answer within ${timeoutMs / 1_000} seconds.`
  return `The request failed: ${error.message}`.slice(0, 500)
}

async function post({ url: address, headers, body }: WebhookMessage, settings: WebhookSettings, signal: AbortSignal) {
  const { url, isPrivate } = requireWebhookAddress(address, settings)
  return sendHttpRequest(url, {
    method: 'POST',
    // A new connection: the check applies to its address, and nothing stays open.
    agent: false,
    signal,
    headers: { ...headers, 'content-type': 'application/cloudevents+json; charset=utf-8', 'user-agent': 'Muster' },
    body,
    ...(!isPrivate && { lookup }),
  })
}
