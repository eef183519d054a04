import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Reads the files that OpenSSL reads by default, or those that SSL_CERT_FILE and SSL_CERT_DIR name. Node could do so too
 * (`getCACertificates('system')`), but keeps every certificate decoded, as often as it is found: on Debian, three times.
 */
export function systemAuthorities(): string[] {
  const file = process.env.SSL_CERT_FILE || '/etc/ssl/cert.pem'
  const folders = (process.env.SSL_CERT_DIR || '/etc/ssl/certs').split(':')
  return [file, ...folders.flatMap(filesIn)].flatMap(certificatesIn)
}

const filesIn = (folder: string): string[] => orNothing(() => readdirSync(folder)).map((name) => join(folder, name))

const certificatesIn = (file: string): string[] =>
  orNothing(
    () => readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
  )

/** What is missing, cannot be read or is a folder contains no authority to trust. */
function orNothing(read: () => string[]): string[] {
  try {
    return read()
  } catch {
    return []
  }
}
