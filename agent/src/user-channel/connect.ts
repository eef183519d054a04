import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { codeOf, ExpectedError } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import { linesOf } from './lines.ts'
import {
  type ChallengeMessage,
  maxAnswerBytes,
  type Refusal,
  type RefusalCode,
  type UserAnswers,
  type UserRequest,
  type UserRequestOf,
  type Welcome,
} from './messages.ts'

const connectMs = 10_000
/** A request for a package waits for the server. */
const answerMs = 60_000

/** The agent has understood a request and refuses it. */
export class RefusedByAgent extends ExpectedError {
  override name = 'RefusedByAgent'
  readonly code: RefusalCode

  constructor({ refused, message }: Refusal) {
    super(message)
    this.code = refused
  }
}

export type AgentConnection = {
  user: string
  ask<V extends UserRequest['verb']>(request: UserRequestOf<V>): Promise<UserAnswers[V]>
  isOpen(): boolean
  close(): void
}

/** Connects to the agent that runs on this state folder, and proves who the user of this process is. */
export async function connectToAgent({ userChannel }: Platform, stateFolder: string): Promise<AgentConnection> {
  const socket = await userChannel
    .withAddress(stateFolder, open)
    .catch((error: unknown) => Promise.reject(explain(error)))
  const lines = linesOf(socket, maxAnswerBytes)
  const exchange = async (message: object): Promise<object> => {
    socket.setTimeout(answerMs)
    lines.write(message)
    const answer = JSON.parse(await lines.read()) as object
    socket.setTimeout(0)
    if ('refused' in answer) throw new RefusedByAgent(answer as Refusal)
    return answer
  }
  try {
    const { challenge } = (await exchange({ account: userChannel.ownAccount() })) as ChallengeMessage
    const { user } = (await exchange({ proof: await readFile(challenge, 'utf8') })) as Welcome
    let last: Promise<unknown> = Promise.resolve()
    return {
      user,
      // One after the other: answers come in the order of requests.
      ask: (request) => {
        const answer = last.catch(() => undefined).then(() => exchange(request))
        last = answer
        return answer as Promise<never>
      },
      isOpen: () => !socket.destroyed,
      close: () => socket.destroy(),
    }
  } catch (error) {
    socket.destroy()
    if (error instanceof RefusedByAgent) throw error
    throw new ExpectedError(`The agent does not serve this account: ${(error as Error).message}`)
  }
}

function open(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => resolve(socket))
    socket.setTimeout(connectMs)
    socket.on('timeout', () => socket.destroy(new Error('The agent does not answer.')))
    socket.once('error', reject)
  })
}

function explain(error: unknown): Error {
  const isAbsent = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(codeOf(error) ?? '')
  if (isAbsent)
    return new ExpectedError('The agent of this computer is not running. Ask your administrator to start it.')
  return new ExpectedError(`The agent of this computer cannot be reached: ${(error as Error).message}`)
}
