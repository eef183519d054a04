import { ConfigurationError } from '../configuration-error.ts'

export type TlsSettings = {
  certificateFile: string
  keyFile: string
  port: number
  /** The authority that issues the certificates of machines. Without it, no client certificate is requested. */
  clientAuthorityFile?: string
  /** A folder in which root leaves copies of these files that it alone can read, named after their settings. */
  copies?: string
}

/** Reads the settings of the HTTPS listener. Undefined if nothing is served over HTTPS. */
export function readTlsSettings(text: (name: string) => string | undefined, port: number): TlsSettings | undefined {
  const [certificateFile, keyFile] = [text('TLS_CERT'), text('TLS_KEY')]
  const [clientAuthorityFile, copies] = [text('TLS_CLIENT_CA'), text('TLS_COPIES')]
  if (!certificateFile && !keyFile && !clientAuthorityFile) return undefined
  if (!certificateFile || !keyFile)
    throw new ConfigurationError(
      clientAuthorityFile
        ? 'MUSTER_TLS_CLIENT_CA requires MUSTER_TLS_CERT and MUSTER_TLS_KEY.'
        : 'Set both MUSTER_TLS_CERT and MUSTER_TLS_KEY, or neither.',
    )
  return {
    certificateFile,
    keyFile,
    port,
    ...(clientAuthorityFile && { clientAuthorityFile }),
    ...(copies && { copies }),
  }
}
