import type { ConnectedDatabase, Lane } from '../../database/connect.ts'
import { isDiskFull } from '../../database/errors.ts'
import type { ContactFlow } from './contact-flow.ts'
import type { HealthCheck, HealthFinding } from './health.ts'
import { probeLane } from './lane-probe.ts'

type Lanes = ConnectedDatabase['lanes']

const read = 'select from computers limit 1'

/**
 * Statements that need what changes need. A disk that is full still accepts small changes for a while, so the numbers
 * are more than the memory that they may use, and PostgreSQL writes a temporary file. Locking a row writes it without
 * leaving a dead version behind. Nobody else locks rows of this table, and other nodes skip the one that is locked.
 */
const write = `
  set local work_mem = '64kB';
  select count(*) from generate_series(1, 3000);
  select from migrations limit 1 for no key update skip locked`

const readsUnanswered: HealthFinding = {
  code: 'ReadsUnanswered',
  status: 'failed',
  detail: 'The database does not answer reads in time.',
}
const signInUnanswered: HealthFinding = {
  code: 'SignInUnanswered',
  status: 'failed',
  detail: 'Callers cannot be authenticated: the database does not answer in time.',
}
const contactsUnanswered: HealthFinding = {
  code: 'ContactsUnanswered',
  status: 'failed',
  detail: 'The database does not answer contacts of agents in time.',
}
const databaseDiskFull: HealthFinding = {
  code: 'DatabaseDiskFull',
  status: 'failed',
  detail: 'The disk of the database is full.',
}
const changesRefused: HealthFinding = {
  code: 'ChangesRefused',
  status: 'failed',
  detail: 'The database does not accept changes, or not in time.',
}

/** Below the time after which an unused connection has to answer another statement before that of a request. */
const intervalMs = 1_500

/** One check for each lane that requests of people and agents use. */
export function laneChecks({ reads, signIn, contacts, writes }: Lanes, contactFlow: ContactFlow): HealthCheck[] {
  return [
    { name: 'reads', intervalMs, run: () => findSilence(reads, readsUnanswered) },
    { name: 'sign-in', intervalMs, run: () => findSilence(signIn, signInUnanswered) },
    {
      name: 'contacts',
      intervalMs,
      run: async () => (await findSilence(contacts, contactsUnanswered)) ?? contactFlow.findObstruction(),
    },
    { name: 'writes', intervalMs: 3_000, run: () => findWriteFault(writes) },
  ]
}

async function findSilence(lane: Lane, finding: HealthFinding): Promise<HealthFinding | undefined> {
  return probeLane(lane, read).then(
    () => undefined,
    (cause: unknown) => ({ ...finding, cause }),
  )
}

async function findWriteFault(writes: Lane): Promise<HealthFinding | undefined> {
  return probeLane(writes, write).then(
    () => undefined,
    (cause: unknown) => ({ ...(isDiskFull(cause) ? databaseDiskFull : changesRefused), cause }),
  )
}
