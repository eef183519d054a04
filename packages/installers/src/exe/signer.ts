import { X509Certificate } from 'node:crypto'
import { type BaseBlock, fromBER } from 'asn1js'
import type { Signer } from '../facts.ts'
import { toLineOrNothing } from '../texts.ts'

/** Signatures with time stamps and several certificates have some 20 KB. */
export const maxSignatureBytes = 1024 * 1024

const contextClass = 3

/**
 * The signer that a PKCS #7 signature names, as the certificate in it describes it. The signature is not verified: neither
 * does this machine know whom a computer trusts, nor is the whole file read. Undefined if it is not readable.
 */
export function findSigner(signature: Buffer): Signer | undefined {
  if (signature.length > maxSignatureBytes) return undefined
  try {
    const signedData = childrenOf(childrenOf(fromBER(signature).result)[1])[0]
    const parts = childrenOf(signedData)
    const certificates = parts.find(({ idBlock }) => idBlock.tagClass === contextClass && idBlock.tagNumber === 0)
    const signerInfo = childrenOf(parts.at(-1))[0]
    const serial = hexOf(childrenOf(childrenOf(signerInfo)[1])[1])
    const certificate = childrenOf(certificates)
      .map((block) => new X509Certificate(block.valueBeforeDecodeView))
      .find(({ serialNumber }) => withoutZeros(serialNumber) === serial)
    return certificate && describe(certificate)
  } catch {
    return undefined
  }
}

function childrenOf(block: BaseBlock | undefined): BaseBlock[] {
  const value = (block?.valueBlock as { value?: unknown } | undefined)?.value
  return Array.isArray(value) ? (value as BaseBlock[]) : []
}

function hexOf(block: BaseBlock | undefined): string {
  const { valueHexView } = (block?.valueBlock ?? {}) as { valueHexView?: Uint8Array }
  return withoutZeros(Buffer.from(valueHexView ?? []).toString('hex'))
}

const withoutZeros = (hex: string) => hex.toLowerCase().replace(/^0+/, '')

function describe({ subject, issuer, validTo }: X509Certificate): Signer | undefined {
  const [organisation, issuerName] = [partOfName(subject, 'O'), partOfName(issuer, 'CN') ?? partOfName(issuer, 'O')]
  const name = partOfName(subject, 'CN') ?? organisation
  const until = new Date(validTo)
  if (name === undefined) return undefined
  return {
    name,
    ...(organisation !== undefined && { organisation }),
    ...(issuerName !== undefined && { issuer: issuerName }),
    ...(!Number.isNaN(until.getTime()) && { validUntil: until.toISOString() }),
  }
}

/** Node shows a name as lines such as `CN=Example`, with a backslash before some characters. */
function partOfName(name: string, attribute: string): string | undefined {
  const line = name.split('\n').find((one) => one.startsWith(`${attribute}=`))
  return line === undefined
    ? undefined
    : toLineOrNothing(line.slice(attribute.length + 1).replaceAll(/\\(.)/g, '$1'), 255)
}
