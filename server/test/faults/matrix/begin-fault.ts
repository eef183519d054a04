import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'
import type { Attempt, Operation } from './operations.ts'
import { clearDisk, fillDisk } from './small-disk.ts'
import { findClientsOf, listWorkers } from './workers.ts'
import { maxOpenFiles, type World } from './world.ts'

/** A fault that has begun. */
export type Fault = {
  end(): Promise<void>
  /** Whether the fault concerns the operation itself. All others are operations of other computers. */
  concerns?(operation: Operation): boolean
  /** Whether the fault can be seen in the answers: a fault without any effect would prove nothing. */
  isVisible?(operations: readonly Operation[]): boolean
}

const endsByItself = async () => {}

export async function killService(world: World): Promise<Fault> {
  await world.service().end('SIGKILL')
  return { end: world.restartService }
}

export const stopService = async (world: World): Promise<Fault> => stopProcesses([world.service().pid])

export async function terminateBackends({ administrator }: World, maxCount: number): Promise<Fault> {
  const pids = (await administrator.listBackends()).slice(0, maxCount)
  await administrator.query(`select pg_terminate_backend(pid) from unnest(array[${pids.join()}]) as pid`)
  return { end: endsByItself }
}

export async function killOneBackend({ administrator }: World): Promise<Fault> {
  const [pid = 0] = await administrator.listBackends()
  process.kill(pid, 'SIGKILL')
  return { end: endsByItself, isVisible: (operations) => hasAnswer(operations, 503) }
}

export async function stopOneBackend({ administrator }: World): Promise<Fault> {
  return stopProcesses((await administrator.listBackends()).slice(0, 1))
}

/** The postmaster, too: otherwise the service could open new connections. */
export async function stopAllBackends({ administrator }: World): Promise<Fault> {
  const postmaster = stopProcesses([administrator.postmasterPid()])
  const backends = stopProcesses(await administrator.listBackends())
  return {
    async end() {
      await backends.end()
      await postmaster.end()
    },
  }
}

export async function stopPostmaster({ administrator }: World): Promise<Fault> {
  return stopProcesses([administrator.postmasterPid()])
}

function stopProcesses(pids: readonly number[]): Fault {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return {
    async end() {
      for (const pid of pids) continueProcess(pid)
    },
  }
}

function continueProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // It was replaced meanwhile.
  }
}

export async function killPostmaster({ administrator }: World): Promise<Fault> {
  const pid = administrator.postmasterPid()
  process.kill(pid, 'SIGKILL')
  const isBack = async () => {
    const other = administrator.postmasterPid()
    return other > 0 && other !== pid && (await administrator.query('select 1').catch(() => undefined)) !== undefined
  }
  return {
    async end() {
      while (!(await isBack())) await sleep(50)
    },
  }
}

export type RowLock = {
  table: string
  key: string
  /** Clients that want to change the computer. */
  crowd: number
}

export async function lockRow(world: World, load: Load, { table, key, crowd }: RowLock): Promise<Fault> {
  const computerId = world.fleet.agents[0]?.computerId ?? 0
  const client = await world.administrator.connect()
  await client.query('begin')
  await client.query(`select from ${table} where ${key} = ${computerId} for update`)
  load.addCrowd(computerId, crowd)
  const concerns = (operation: Operation) => operation.computerId === computerId
  return {
    concerns,
    isVisible: (operations) => operations.filter(concerns).some(({ attempts }) => attempts.some(isLateOrRefused)),
    async end() {
      await client.query('rollback')
      await client.end()
    },
  }
}

const isLateOrRefused = ({ milliseconds, outcome }: Attempt) => milliseconds > 1000 || outcome === 503

const commitDelayMicroseconds = 50_000

export async function slowDownCommits({ administrator }: World): Promise<Fault> {
  const setDelay = async (microseconds: number) => {
    await administrator.query(`alter system set commit_delay = ${microseconds}`)
    await administrator.query('alter system set commit_siblings = 0')
    await administrator.query('select pg_reload_conf()')
  }
  await setDelay(commitDelayMicroseconds)
  return { end: () => setDelay(0) }
}

export async function fillTheDisk({ dataDirectory }: World): Promise<Fault> {
  await fillDisk(dataDirectory)
  let isOver = false
  // PostgreSQL frees space whenever it removes files of its log that it no longer needs.
  const filling = (async () => {
    for (; !isOver; await sleep(200)) await fillDisk(dataDirectory)
  })()
  return {
    isVisible: (operations) => hasAnswer(operations, 503),
    async end() {
      isOver = true
      await filling
      await clearDisk(dataDirectory)
    },
  }
}

export async function setClock(world: World, milliseconds: number): Promise<Fault> {
  await world.shiftClock(milliseconds)
  // Access tokens expire.
  return { end: () => world.shiftClock(0), isVisible: (operations) => hasAnswer(operations, 401) }
}

function hasAnswer(operations: readonly Operation[], status: number): boolean {
  return operations.some(({ attempts }) => attempts.some(({ outcome }) => outcome === status))
}

export async function breakWorker(world: World, load: Load, signal: 'SIGKILL' | 'SIGSTOP'): Promise<Fault> {
  const service = world.service()
  const [victim = 0] = await listWorkers(service.pid)
  const clients = new Set(load.operations.map(({ client }) => client))
  const concerned = await findClientsOf(victim, clients, Number(new URL(service.address).port))
  process.kill(victim, signal)
  const inProgress = load.operations.filter(({ client, succeededAt }) => !succeededAt && concerned.has(client))
  const computers = new Set(inProgress.flatMap(({ computerId }) => computerId ?? []))
  return {
    // What the worker had in progress keeps the rows of its computers locked until the database notices.
    concerns: ({ client, computerId }) => concerned.has(client) || (computerId !== null && computers.has(computerId)),
    isVisible: () => concerned.size > 0,
    end: async () => continueProcess(victim),
  }
}

/** Clients that keep their connection are the other computers; those that open a new one each time are concerned. */
export async function exhaustFiles(world: World): Promise<Fault> {
  const port = Number(new URL(world.service().address).port)
  const idle = new Set<Socket>()
  let closedByService = 0
  let isOver = false
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port })
    idle.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      idle.delete(socket)
      if (isOver) return
      closedByService++
      // What becomes free is used up again.
      setTimeout(() => void (isOver || open()), 100)
    })
    await Promise.race([once(socket, 'connect').catch(() => {}), sleep(200)])
  }
  for (let number = 0; number < maxOpenFiles; number++) await open()
  return {
    concerns: ({ client }) => !client.keepsConnection,
    isVisible: () => closedByService > 0,
    async end() {
      isOver = true
      for (const socket of idle) socket.destroy()
    },
  }
}
