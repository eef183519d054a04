import { breakWorker, type Fault, killOneBackend, killPostmaster, killService } from '../matrix/begin-fault.ts'
import type { Load } from '../matrix/load.ts'
import { withDescendants } from '../matrix/workers.ts'
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
  const roots = [world.service().pid, world.administrator.postmasterPid()]
  for (const pid of new Set(roots.flatMap(withDescendants))) killProcess(pid)
  return { end: world.restartService }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
