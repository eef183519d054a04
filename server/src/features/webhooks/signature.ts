import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** A secret in the form of Standard Webhooks: 32 random bytes. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(32).toString('base64')}`
}

export type SignedHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }

/** The headers of Standard Webhooks. One signature for each secret so that receivers can change theirs in between. */
export function signWebhook(secrets: readonly string[], id: string, body: string, now = new Date()): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
