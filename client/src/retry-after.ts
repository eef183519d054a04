/** The seconds that a `Retry-After` header asks for. Proxies also write a date. */
export function parseRetryAfter(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return seconds > 0 ? Math.ceil(seconds) : undefined
}
