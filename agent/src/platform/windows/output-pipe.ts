import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { toUtf8Lines } from './output-text.ts'
import { decodeConsoleText } from './win32/code-page.ts'
import { kernel32 } from './win32/kernel.ts'
import { inheritable } from './win32/security.ts'
import { check } from './win32/system-error.ts'

const genericRead = 0x8000_0000
const genericWrite = 0x4000_0000
const openExisting = 3
const shareAll = 3
const lastOutputMs = 1_000

/** A pipe whose end for writing is a handle that a child process inherits. */
export type OutputPipe = {
  handle: number
  /** Waits for the end of the output for a moment, and closes the pipe. */
  finish(): Promise<void>
}

export async function openOutputPipe(onOutput: (chunk: Buffer) => void): Promise<OutputPipe> {
  const address = `\\\\.\\pipe\\muster-${randomUUID()}`
  // Without the pipe, opening it fails and says why.
  const server = createServer().on('error', () => undefined)
  server.listen(address)
  try {
    // The pipe exists already. Nothing may be awaited before it is opened: others can see its name, and open it first.
    const handle = openInherited(address, genericWrite)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const lines = toUtf8Lines(onOutput, decodeConsoleText)
    socket.on('data', (chunk) => lines.write(chunk))
    // The pipe breaks when its last writer is killed.
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').catch(() => undefined)
    return {
      handle,
      async finish() {
        await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
        socket.destroy()
        lines.end()
      },
    }
  } finally {
    // Nobody else may connect.
    server.close()
  }
}

/** A file without content, for the input of a command. */
export const openNothing = () => openInherited('NUL', genericRead)

function openInherited(path: string, access: number): number {
  return check(
    `${path} could not be opened`,
    kernel32.CreateFileW(path, access, shareAll, inheritable(), openExisting, 0, 0),
  )
}
