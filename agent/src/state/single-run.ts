import { open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { codeOf, ExpectedError } from '../expected-error.ts'
import type { StateFolder } from './state-folder.ts'

/**
 * The running agent listens on a socket in its state folder. The socket shows that it runs, prevents a second agent on
 * the same folder, and wakes the agent when written to. It is addressed through the open folder, because socket paths
 * have a short maximum length.
 */
async function throughFolder<T>(state: StateFolder, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await open(state.root, 'r')
  try {
    return await use(`/proc/self/fd/${folder.fd}/${state.socket}`)
  } finally {
    await folder.close()
  }
}

export async function isAgentRunning(state: StateFolder): Promise<boolean> {
  return reach(state, '')
}

/** Wakes the agent that runs on this folder. Returns whether there is one. */
export async function wakeRunningAgent(state: StateFolder): Promise<boolean> {
  return reach(state, 'wake')
}

async function reach(state: StateFolder, message: string): Promise<boolean> {
  return throughFolder(
    state,
    (path) =>
      new Promise<boolean>((resolve) => {
        const socket = connect(path, () => socket.end(message))
        socket.once('close', (hadError) => resolve(!hadError))
        socket.on('error', () => undefined)
        socket.resume()
      }),
  )
}

export async function claimFolder(state: StateFolder, onWake: () => void): Promise<Server> {
  if (await isAgentRunning(state)) throw alreadyRunning(state)
  return throughFolder(state, async (path) => {
    // The socket of a killed agent answers nobody.
    await rm(path, { force: true })
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', onWake)
    })
    server.unref()
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(codeOf(error) === 'EADDRINUSE' ? alreadyRunning(state) : error))
      server.listen(path, resolve)
    })
    return server
  })
}

function alreadyRunning(state: StateFolder): ExpectedError {
  return new ExpectedError(`Another agent is already running on ${state.root}.`)
}
