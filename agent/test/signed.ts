import { generateSecretKey, type SecretKey, signContent, signKeyList } from '@muster/signing'
import { type GivenWork, sha256 } from './given-work.ts'

export { generateSecretKey, signKeyList }

export const manifestName = 'muster-package.json'
export const signatureName = `${manifestName}.minisig`

/** A command that leaves a trace. */
export const leaving = (name: string) => ({ shell: `echo done >> "$ROOT/${name}"` })

/** A signed package as the server hands it out, with the changes that a test makes to its manifest. */
export function signedWork(
  key: SecretKey,
  trace: string,
  manifest: object = {},
  content: Record<string, string> = { 'install.sh': 'echo hello' },
) {
  const files = Object.entries(content).map(([path, text]) => ({ path, size: text.length, sha256: sha256(text) }))
  const commands = { install: leaving(trace) }
  const signed = JSON.stringify({
    name: 'greeting',
    version: '1.2.0',
    operatingSystems: ['Linux'],
    kind: 'software',
    commands,
    files,
    ...manifest,
  })
  const signature = signContent(key, Buffer.from(signed), manifestName)
  return {
    // Given commands get the time limit of the tests, and signed ones the default.
    commands: { install: { ...leaving(trace), timeLimitMinutes: 60 } },
    files: { ...content, [manifestName]: signed, [signatureName]: signature },
  } satisfies GivenWork
}
