import { connect, createServer, type Server } from 'node:net'
import { codeOf, ExpectedError } from '../expected-error.ts'
import type { StateFolder } from './state-folder.ts'

/*
 * The running agent listens at an address of its state folder. That shows that it runs, prevents a second agent on the same
 * folder, and wakes the agent when something is written to it.
 */

export async function isAgentRunning(state: StateFolder): Promise<boolean> {
  return reach(state, '')
}

/** Wakes the agent that runs on this folder. Returns whether there is one. */
export async function wakeRunningAgent(state: StateFolder): Promise<boolean> {
  return reach(state, 'wake')
}

async function reach(state: StateFolder, message: string): Promise<boolean> {
  return state.platform.instance.withAddress(
    state.root,
    (address) =>
      new Promise<boolean>((resolve) => {
        const socket = connect(address, () => socket.end(message))
        socket.once('close', (hadError) => resolve(!hadError))
        socket.on('error', () => undefined)
        socket.resume()
      }),
  )
}

export async function claimFolder(state: StateFolder, onWake: () => void): Promise<Server> {
  if (await isAgentRunning(state)) throw alreadyRunning(state)
  const { instance } = state.platform
  return instance.withAddress(state.root, async (address) => {
    await instance.removeStale(address)
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', onWake)
    })
    server.unref()
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(codeOf(error) === 'EADDRINUSE' ? alreadyRunning(state) : error))
      server.listen(address, resolve)
    })
    return server
  })
}

function alreadyRunning(state: StateFolder): ExpectedError {
  return new ExpectedError(`Another agent is already running on ${state.root}.`)
}
