import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

type StoredText = { value: string | null; sealed_value: Buffer | null }

/** Adds the text of each value. Secret values are decrypted. */
export function revealValues<R extends StoredText>(
  keys: ServerKeys,
  rows: readonly R[],
): Promise<(R & { text: string })[]> {
  const textOf = ({ value, sealed_value }: R) => (sealed_value ? keys.unsealValue(sealed_value) : (value ?? ''))
  return Promise.all(rows.map(async (row) => ({ ...row, text: await textOf(row) })))
}
