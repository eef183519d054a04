import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { trustSystemCertificates } from './credentials/system-certificates.ts'
import type { Terminal } from './terminal.ts'

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  const interruption = new AbortController()
  // The first signal ends a command cleanly. A second one has no listener and ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  // `muster computers | head` closes the pipe, which is not a fault.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  // Nobody reads the notes; the command still ends with its own code.
  stderr.on('error', () => {})
  return {
    write: (content) => void stdout.write(content),
    note: (content) => void stderr.write(content),
    redraw: (line) => void stderr.write(`\r\x1b[2K${line}`),
    isTerminal: stdout.isTTY === true,
    showsProgress: stderr.isTTY === true,
    // A terminal without a size has zero columns.
    width: stdout.columns || stderr.columns || 160,
    readInput: () => text(stdin),
    ask: stdin.isTTY ? (question) => askOn(process.stderr, question) : undefined,
    askSecret: stdin.isTTY ? askSecret : undefined,
    openBrowser,
    environment: env,
    send: (request) => {
      trustSystemCertificates(new URL(request.url))
      return fetch(request, { signal: AbortSignal.any([request.signal, interruption.signal]) })
    },
    signal: interruption.signal,
  }
}

/** Asks on the terminal without showing what is typed. */
async function askSecret(question: string): Promise<string> {
  // The terminal stops to show what is typed before the question invites to type.
  const answering = askOn(new Writable({ write: (_chunk, _encoding, done) => done() }), '')
  process.stderr.write(question)
  const answer = await answering
  process.stderr.write('\n')
  return answer
}

/** Asks, and shows the question and what is typed on the output. The end of the input is an empty answer. */
async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = once(lines, 'close').then(() => '')
  const answer = await Promise.race([lines.question(question), ended])
  lines.close()
  return answer
}

function openBrowser(address: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  // The address is also shown, so a missing browser does no harm.
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
