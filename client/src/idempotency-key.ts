/** An idempotency key: it makes a POST safe to repeat after a lost response. */
export function newIdempotencyKey(): string {
  // Browsers offer randomUUID only over TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
