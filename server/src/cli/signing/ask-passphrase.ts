import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads a passphrase from MUSTER_SIGN_PASSPHRASE, otherwise from the terminal without showing it, or from a pipe. */
export async function askPassphrase(prompt: string): Promise<string> {
  const given = process.env.MUSTER_SIGN_PASSPHRASE
  if (given !== undefined) return given
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(prompt)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const input = createInterface({ input: process.stdin, output: silence, terminal: isTerminal })
  try {
    return await input.question('')
  } finally {
    input.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
