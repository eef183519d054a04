/** Codes of a certificate whose authority this computer does not know. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Why a service did not answer. Node hides the reason in the cause, with advice about itself. */
export function describeConnectionError(address: string, error: Error): string {
  const { code = '', message = '' } = (error.cause ?? {}) as { code?: string; message?: string }
  const { origin } = new URL(address)
  if (untrusted.has(code))
    return (
      `Cannot reach ${origin}: this computer does not trust the certificate of the service. ` +
      'Add its authority to the certificates of the operating system.'
    )
  return `Cannot reach ${origin}: ${message || code || error.message}`
}
