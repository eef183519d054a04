import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { SigningError } from './signing-error.ts'

/** Reads a passphrase from MUSTER_SIGN_PASSPHRASE, otherwise from the terminal without showing it, or from a pipe. */
export async function askPassphrase(prompt: string): Promise<string> {
  const given = process.env.MUSTER_SIGN_PASSPHRASE
  if (given !== undefined) return given
  const isTerminal = process.stdin.isTTY === true
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const input = createInterface({ input: process.stdin, output: silence, terminal: isTerminal })
  // From now on, the terminal does not show what is typed.
  if (isTerminal) process.stderr.write(prompt)
  try {
    // At the end of the input, the question is never answered.
    const answer = await Promise.race([input.question(''), once(input, 'close')])
    if (typeof answer === 'string') return answer
    throw new SigningError('No passphrase was given. Type it, or set MUSTER_SIGN_PASSPHRASE.')
  } finally {
    input.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
