import { X509Certificate } from 'node:crypto'
import type { Configuration } from '../../platform/configuration.ts'
import { readCertificate } from '../../platform/tls/certificate.ts'
import type { WaitingDecision } from './list-waiting.ts'

/** Clients of ACME renew thirty days before the end: with less than that left, renewal does not work. */
const maxDaysLeft = 21

const dayMs = 86_400_000

/**
 * The certificates of the service that end soon, or have ended. Read from their files, which are small: a renewed one counts at once.
 * The start has checked that they can be read.
 */
export async function findExpiringCertificates(
  { tls }: Pick<Configuration, 'tls'>,
  now = Date.now(),
): Promise<WaitingDecision<'ExpiringCertificate'>[]> {
  const certificate = tls && (await readCertificate(tls).catch(() => undefined))
  const items = [certificate?.cert, certificate?.ca]
    .filter((content) => content !== undefined)
    .map(describe)
    .filter(({ atUtc }) => atUtc.getTime() - now < maxDaysLeft * dayMs)
    .sort((a, b) => a.atUtc.getTime() - b.atUtc.getTime())
  return items.length === 0 ? [] : [{ kind: 'ExpiringCertificate', count: items.length, items }]
}

function describe(content: Buffer) {
  // Of a chain, the first certificate is that of the service.
  const { subject, validTo, fingerprint256 } = new X509Certificate(content)
  const name = /^CN=(.+)$/m.exec(subject ?? '')?.[1] ?? subject ?? ''
  return { id: fingerprint256, name, detail: null, atUtc: new Date(validTo) }
}
