import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { ConfigurationError } from '../configuration-error.ts'
import type { TlsSettings } from './tls-settings.ts'

export type Certificate = { cert: Buffer; key: Buffer; ca?: Buffer }

/** Reads certificate, key and client authority. Throws what the operator can do if one of them cannot be used. */
export async function readCertificate(tls: TlsSettings): Promise<Certificate> {
  const { certificateFile, keyFile, clientAuthorityFile, copies } = tls
  // One after the other: of two files that are missing, the same one is named every time.
  const cert = await readTlsFile('MUSTER_TLS_CERT', certificateFile, copies)
  const key = await readTlsFile('MUSTER_TLS_KEY', keyFile, copies)
  const ca = clientAuthorityFile ? await readTlsFile('MUSTER_TLS_CLIENT_CA', clientAuthorityFile, copies) : undefined
  const certificate = { cert, key, ...(ca && { ca }) }
  requireUsable(certificate)
  return certificate
}

export function isSameCertificate(one: Certificate, other: Certificate): boolean {
  return (['cert', 'key', 'ca'] as const).every((part) => {
    const [before, after] = [one[part], other[part]]
    return before === after || (before !== undefined && after !== undefined && before.equals(after))
  })
}

/** Root may have left a copy of the file, named after the setting, because only root can read the file itself. */
async function readTlsFile(setting: string, file: string, copies: string | undefined): Promise<Buffer> {
  const copy = copies && join(copies, setting)
  try {
    return await readFile(copy && existsSync(copy) ? copy : file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new ConfigurationError(`${setting} names ${file}, which does not exist.`)
    if (code === 'EACCES') throw new ConfigurationError(explainRefusal(setting, file, copy))
    throw error
  }
}

function explainRefusal(setting: string, file: string, copy: string | undefined): string {
  const { username } = userInfo()
  const refused = `The user ${username} may not read ${file}, which ${setting} names.`
  if (copy)
    return `${refused} Root could not copy it to ${copy} either: the lines of copy-certificate in the log say why.`
  return `${refused} Give this user a copy of its own: install -o ${username} -m 400 ${file} COPY, and name the copy in ${setting}.`
}

function requireUsable({ cert, key }: Certificate): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? 'The private key in MUSTER_TLS_KEY does not belong to the certificate in MUSTER_TLS_CERT.'
        : `The certificate in MUSTER_TLS_CERT or the private key in MUSTER_TLS_KEY cannot be used: ${message}.`,
    )
  }
}
