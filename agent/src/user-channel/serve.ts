import { timingSafeEqual } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { parseJson } from '../answers/parse-json.ts'
import { InvalidValue, objectOf, text } from '../answers/readers.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { allowances } from './allowance.ts'
import { ConnectionEnded, type Lines, linesOf } from './lines.ts'
import { type Hello, maxRequestBytes, type Proof, type Refusal, RequestRefused, type UserRequest } from './messages.ts'
import { readRequest } from './read-request.ts'

export type User = { account: string; name: string }

/** Ends all connections. */
export type UserServer = { close(): void }

export type UserDesk = { answer(user: User, request: UserRequest): Promise<object> }

/** One user who floods the agent must not keep others out, whose connections are counted by themselves. */
const maxConnectionsPerAccount = 8
const maxUnproven = 16
const maxProven = 256
const proofMs = 5_000
const idleMs = 10 * 60_000
const looks = { burst: 60, perSecond: 10 }
const changes = { burst: 10, perSecond: 1 / 6 }

const hello = objectOf<Hello>({ account: text(200) })
const proof = objectOf<Proof>({ proof: text(200) })

/** Listens for the users of this computer. */
export async function serveUsers(state: StateFolder, desk: UserDesk): Promise<UserServer> {
  const { userChannel } = state.platform
  await userChannel.prepare(state.root)
  const unproven = new Set<Socket>()
  const proven = new Map<string, Set<Socket>>()
  const limits = { looks: allowances(looks), changes: allowances(changes) }
  const server = createServer((socket) => {
    const lines = linesOf(socket, maxRequestBytes)
    void serve(socket, lines).catch((error: unknown) => {
      if (!(error instanceof ConnectionEnded)) logSometimes(`A user could not be served: ${messageOf(error)}`)
      socket.destroy()
    })
  })

  async function serve(socket: Socket, lines: Lines): Promise<void> {
    const account = await admit(socket, () => prove(state, lines))
    if (account === undefined) return lines.write(refusal(new RequestRefused('NotProven', 'The proof is wrong.')))
    const own = proven.get(account) ?? new Set()
    const all = [...proven.values()].reduce((sum, { size }) => sum + size, 0)
    if (own.size >= maxConnectionsPerAccount || all >= maxProven) throw new ConnectionEnded('There are too many.')
    proven.set(account, own.add(socket))
    socket.once('close', () => {
      own.delete(socket)
      if (own.size === 0) proven.delete(account)
    })
    socket.setTimeout(idleMs, () => socket.destroy())
    const user = { account, name: await userChannel.nameOf(account) }
    lines.write({ user: user.name })
    for (;;) lines.write(await answerOf(user, await lines.read()))
  }

  /** A peer that has proven nothing yet has little time, and makes room for others. */
  async function admit<T>(socket: Socket, use: () => Promise<T>): Promise<T> {
    unproven.add(socket)
    const [oldest] = unproven
    if (unproven.size > maxUnproven) oldest?.destroy()
    const limit = setTimeout(() => socket.destroy(), proofMs)
    const leave = () => unproven.delete(socket)
    socket.once('close', leave)
    try {
      return await use()
    } finally {
      clearTimeout(limit)
      leave()
    }
  }

  async function answerOf(user: User, line: string): Promise<object> {
    try {
      const request = readRequest(line)
      const limit = request.verb === 'view' || request.verb === 'icon' ? limits.looks : limits.changes
      if (!limit.spend(user.account))
        throw new RequestRefused('TooManyRequests', 'Too many requests. Try again in a minute.')
      return await desk.answer(user, request)
    } catch (error) {
      return refusal(error)
    }
  }

  await userChannel.withAddress(
    state.root,
    (path) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        // Everybody may connect; what they may do follows from who they are.
        server.listen({ path, readableAll: true, writableAll: true }, resolve)
      }),
  )
  server.unref()
  return {
    close() {
      server.close()
      for (const socket of [...unproven, ...[...proven.values()].flatMap((own) => [...own])]) socket.destroy()
    },
  }
}

/** The account of the peer; undefined if it has not proven it. A challenge is for one connection and one attempt. */
async function prove({ platform, root }: StateFolder, lines: Lines): Promise<string | undefined> {
  const { account } = hello(parseJson(await lines.read()), '')
  const challenge = await platform.userChannel.challenge(root, account)
  try {
    lines.write({ challenge: challenge.path })
    const given = Buffer.from(proof(parseJson(await lines.read()), '').proof)
    const secret = Buffer.from(challenge.secret)
    return given.length === secret.length && timingSafeEqual(given, secret) ? account : undefined
  } finally {
    await challenge.remove()
  }
}

const logged = allowances({ burst: 10, perSecond: 1 / 60 })

/** Users can cause these lines, and must not fill the log. */
function logSometimes(line: string): void {
  if (logged.spend('')) log(line)
}

/** What the agent itself failed at is in its log: it may contain paths and addresses that do not concern users. */
function refusal(error: unknown): Refusal {
  if (error instanceof RequestRefused) return { refused: error.code, message: error.message }
  if (error instanceof InvalidValue)
    return { refused: 'InvalidRequest', message: `The request is invalid: ${error.message}.` }
  logSometimes(`A request of a user failed: ${messageOf(error)}`)
  return { refused: 'Failed', message: 'The agent could not do this. Its log says why.' }
}
