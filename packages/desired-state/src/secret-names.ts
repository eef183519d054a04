import { createHash } from 'node:crypto'

/**
 * The reference that an export writes for a secret, always the same for the same secret. The digits keep equal variables of
 * different groups apart.
 */
export function secretReferenceOf(path: string, variable: string, place = ''): string {
  const words = variable.replaceAll(/[^a-z0-9]+/gi, '_').toUpperCase()
  const digits = createHash('sha256')
    .update(JSON.stringify([path, variable, place]).toLowerCase())
    .digest('hex')
  return `env:${words}_${digits.slice(0, 8).toUpperCase()}`
}
