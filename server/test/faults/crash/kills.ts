import { readFile } from 'node:fs/promises'
import { breakWorker, type Fault, killOneBackend, killPostmaster, killService } from '../matrix/begin-fault.ts'
import type { Load } from '../matrix/load.ts'
import type { World } from '../matrix/world.ts'

export type Kill = { name: string; begin(world: World, load: Load): Promise<Fault> }

/** What is killed without warning, in a service with several workers and its own PostgreSQL. */
export const kills: readonly Kill[] = [
  { name: 'service', begin: killService },
  { name: 'worker', begin: (world, load) => breakWorker(world, load, 'SIGKILL') },
  { name: 'backend', begin: killOneBackend },
  { name: 'postmaster', begin: killPostmaster },
  { name: 'everything', begin: killEverything },
]

/** As in a power failure: no process is left that could finish or clean up anything. */
async function killEverything(world: World): Promise<Fault> {
  const roots = [world.service().pid, await world.administrator.postmasterPid()]
  const pids = (await Promise.all(roots.map(listTree))).flat()
  for (const pid of new Set(pids)) killProcess(pid)
  return { end: world.restartService }
}

async function listTree(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const below = children.split(' ').filter(Boolean).map(Number)
  return [pid, ...(await Promise.all(below.map(listTree))).flat()]
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
