import type { ConnectedDatabase, Lane } from '../../database/connect.ts'
import { isDiskFull } from '../../database/errors.ts'
import type { ContactFlow } from './contact-flow.ts'
import type { HealthCheck, HealthFinding } from './health.ts'
import { probeLane } from './lane-probe.ts'

type Lanes = ConnectedDatabase['lanes']

const read = 'select from computers limit 1'

/**
 * Statements that need what changes need: room for a temporary file, because a full disk still accepts changes for a
 * while, and a row that is written and flushed. Locking a row writes it without leaving a dead version behind. Nobody
 * else locks rows of this table, and other nodes skip the one that this node has locked.
 */
const write = `
  set local work_mem = '64kB';
  select count(*) from (
    select repeat(md5(n::text), 8) as filler from generate_series(1, 1000) as n order by filler offset 0) as spilled;
  select from migrations limit 1 for no key update skip locked`

/** One check for each lane that requests of people and agents use. */
export function laneChecks({ reads, signIn, contacts, writes }: Lanes, contactFlow: ContactFlow): HealthCheck[] {
  return [
    laneCheck('reads', reads, read, 'The database does not answer reads in time.'),
    laneCheck('sign-in', signIn, read, 'Callers cannot be authenticated: the database does not answer in time.'),
    {
      name: 'contacts',
      intervalMs: 1_000,
      run: async () =>
        (await findSilence(contacts, read, 'The database does not answer contacts of agents in time.')) ??
        contactFlow.findObstruction(),
    },
    { name: 'writes', intervalMs: 3_000, run: () => findWriteFault(writes) },
  ]
}

function laneCheck(name: string, lane: Lane, statement: string, detail: string): HealthCheck {
  return { name, intervalMs: 1_000, run: () => findSilence(lane, statement, detail) }
}

async function findSilence(lane: Lane, statement: string, detail: string): Promise<HealthFinding | undefined> {
  return probeLane(lane, statement).then(
    () => undefined,
    (cause: unknown) => ({ status: 'failed', detail, cause }),
  )
}

async function findWriteFault(writes: Lane): Promise<HealthFinding | undefined> {
  return probeLane(writes, write).then(
    () => undefined,
    (cause: unknown) => ({
      status: 'failed',
      detail: isDiskFull(cause)
        ? 'The disk of the database is full.'
        : 'The database does not accept changes, or not in time.',
      cause,
    }),
  )
}
