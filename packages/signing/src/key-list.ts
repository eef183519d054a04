import type { PublicKey } from './public-key.ts'
import type { SecretKey } from './secret-key.ts'
import { signContent } from './sign-content.ts'

/**
 * The settings of an agent template that replace the pinned keys of agents. The list is signed by a key that they have
 * pinned. The serial keeps an older list from being used again.
 */
export function signKeyList(keys: readonly PublicKey[], serial: number, key: SecretKey): Record<string, string> {
  const trustedKeys = [`muster-trusted-keys ${serial}`, ...keys.map(({ text }) => text), ''].join('\n')
  return { trustedKeys, trustedKeysSignature: signContent(key, Buffer.from(trustedKeys), 'trustedKeys') }
}
