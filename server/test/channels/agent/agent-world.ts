import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Insertable, sql } from 'kysely'
import { afterAll } from 'vitest'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { postponeWork } from '../../../src/channels/agent/postpone-work.ts'
import { reportContact } from '../../../src/channels/agent/report-contact.ts'
import { reportProgress } from '../../../src/channels/agent/report-progress.ts'
import { reportResult } from '../../../src/channels/agent/report-result.ts'
import { startWork } from '../../../src/channels/agent/start-work.ts'
import type { Packages, Work } from '../../../src/database/tables.ts'
import { createEnrolmentToken } from '../../../src/features/enrolment/api/create-enrolment-token.ts'
import type { Configuration } from '../../../src/platform/configuration.ts'
import { openWorld, type WorldOptions } from '../../world/open-world.ts'
import { openTemporaryFolder } from '../../world/temporary-folder.ts'

export const sha256Of = (content: string) => createHash('sha256').update(content).digest('hex')

export type PackageColumns = Partial<Insertable<Packages>> & {
  requires?: readonly string[]
  conflicts?: readonly string[]
  /** Names of packages, and whether they are uninstalled first. */
  supersedes?: Readonly<Record<string, boolean>>
  files?: Record<string, string>
}

type WorkColumns = Partial<Omit<Insertable<Work>, 'computer_id' | 'package_id'>>

/** A world with a package store, agents, and packages that can be handed out. */
export async function openAgentWorld(
  configuration: Partial<Configuration> = {},
  options: Pick<WorldOptions, 'hasOwnDatabase' | 'observers'> = {},
) {
  const store = await openTemporaryFolder()
  afterAll(() => rm(store, { recursive: true }))
  const world = await openWorld({ configuration: { packageStore: store, ...configuration }, ...options })
  const { as, db, given, withToken } = world

  async function enrolmentToken(body: { maxUses?: number; groupId?: string } = {}) {
    const created = await as('admin.manage', 'group.write').call(createEnrolmentToken, {
      body: { expiresAtUtc: '2099-01-01T00:00:00Z', ...body },
    })
    return created.body
  }

  let anyToken: ReturnType<typeof enrolmentToken> | undefined

  /** Agents enrol with the same token, as those of a site do. */
  async function agent() {
    anyToken ??= enrolmentToken()
    const { token } = await anyToken
    const enrolled = await withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } })
    return agentWith(enrolled.body)
  }

  function agentWith({ clientId, credential }: { clientId: number; credential: string }) {
    const itself = withToken(credential)
    const runId = randomUUID()
    return {
      id: clientId,
      credential,
      itself,
      runId,
      contact: (changes: Partial<ReturnType<typeof contact>> = {}) =>
        itself.call(reportContact, { body: { ...contact(), runId, ...changes } }),
      /** The contact of an agent that begins work without a request for each start. */
      exchange: (changes: Partial<ReturnType<typeof contact>> = {}) =>
        itself.call(reportContact, { body: { ...contact(), runId, canStartAtContact: true, ...changes } }),
      start: (workId: number, attempt = 1) => itself.call(startWork, { params: { workId }, body: { attempt, runId } }),
      progress: (workId: number, percent = 50, attempt = 1) =>
        itself.call(reportProgress, { params: { workId }, body: { attempt, percent, message: '' } }),
      postpone: (workId: number, untilUtc: string, attempt = 1) =>
        itself.call(postponeWork, { params: { workId }, body: { attempt, untilUtc } }),
      report: (workId: number, changes: Partial<ReturnType<typeof result>> = {}) =>
        itself.call(reportResult, { params: { workId }, body: { ...result(), ...changes } }),
    }
  }

  /** A package that agents can install. */
  async function readyPackage({
    requires = [],
    conflicts = [],
    supersedes = {},
    files = {},
    ...columns
  }: PackageColumns = {}) {
    const made = await given.package({
      is_operational: true,
      hash_state: 'Current',
      content_hash: randomBytes(32),
      manifest: JSON.stringify({
        commands: { install: { argv: ['sh', 'install.sh'] }, uninstall: { argv: ['sh', 'uninstall.sh'] } },
      }),
      ...columns,
    })
    for (const required_name of requires)
      await db.insertInto('package_requirements').values({ package_id: made.id, required_name }).execute()
    for (const conflicting_name of conflicts)
      await db.insertInto('package_conflicts').values({ package_id: made.id, conflicting_name }).execute()
    for (const [superseded_name, uninstalls_first] of Object.entries(supersedes))
      await db
        .insertInto('package_supersedes')
        .values({ package_id: made.id, superseded_name, uninstalls_first })
        .execute()
    for (const [path, content] of Object.entries(files)) {
      const file = join(store, made.folder ?? '', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      const sha256 = Buffer.from(sha256Of(content), 'hex')
      await db
        .insertInto('package_files')
        .values({ package_id: made.id, path, size: Buffer.byteLength(content), sha256 })
        .execute()
    }
    return made
  }

  /** Due work of the computer, with the rows that an activation creates. */
  async function work(
    { id: computer_id }: { id: number },
    { id: package_id }: { id: string | null },
    columns: WorkColumns = {},
  ): Promise<number> {
    const task = await db
      .insertInto('tasks')
      .values({ kind: 'Activation', computer_id, package_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await db
      .insertInto('work')
      .values({ computer_id, package_id, task_id: task.id, kind: 'Install', commands: 1, ...columns })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (package_id)
      await db
        .insertInto('deployments')
        .values({ computer_id, package_id, pending_since: sql`now()` })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    return made.id
  }

  const state = {
    work: (id: number) => db.selectFrom('work').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    deployment: ({ id: computerId }: { id: number }, { id: packageId }: { id: string }) =>
      db
        .selectFrom('deployments')
        .selectAll()
        .where('computer_id', '=', computerId)
        .where('package_id', '=', packageId)
        .executeTakeFirstOrThrow(),
    events: ({ id }: { id: number }) =>
      db
        .selectFrom('distribution_events')
        .select(['package_id', 'result', 'classification', 'install_mode', 'info'])
        .where('computer_id', '=', id)
        .orderBy('id')
        .execute(),
    agent: ({ id }: { id: number }) =>
      db.selectFrom('agents').selectAll().where('computer_id', '=', id).executeTakeFirstOrThrow(),
  }

  /** Moves the end of the lease, and the earliest time of the next attempt, into the past. */
  async function letTimePass(workId: number): Promise<void> {
    await sql`
      update work set not_before = now() - interval '1 second',
        leased_until = case when state = 'Leased' then now() - interval '1 second' end
      where id = ${workId}`.execute(db)
  }

  return { ...world, store, enrolmentToken, agent, agentWith, readyPackage, work, state, letTimePass }
}

export type AgentWorld = Awaited<ReturnType<typeof openAgentWorld>>

export function enrolment() {
  const name = randomBytes(6).toString('hex')
  return {
    token: '',
    enrolmentKey: randomBytes(32).toString('base64url'),
    computer: {
      name,
      domain: 'corp.example.org',
      isDomain: true,
      uuid: randomUUID() as string | null,
      macAddress: randomBytes(6).toString('hex') as string | null,
    },
    agent: { version: '0.1.0', platform: 'Linux' },
  }
}

export function contact() {
  return {
    runId: randomUUID() as string,
    agentVersion: '0.1.0',
    platform: 'Linux',
    environment: 'OperatingSystem' as 'OperatingSystem' | 'PreOs',
    bootTimeUtc: '2026-03-14T09:26:53.000Z',
    rebootRequired: false,
    rebootRequiredSource: null as string | null,
    suspension: null as {
      mode: 'Suspended' | 'PresentationMode' | 'MaintenanceMode'
      untilUtc: string | null
    } | null,
    loggedOnUser: null as string | null,
    ipAddress: null as string | null,
    settingsHash: null as string | null,
    sections: {} as Record<string, string>,
    wants: [] as string[],
    emptyHanded: false,
    canRotateCredential: false,
    canStartAtContact: false,
    connected: false,
    results: [] as ReturnType<typeof contactResult>[],
    inProgress: [] as { workId: number; attempt: number; percent: number | null }[],
    ...({} as { preDownloads?: PreDownloadReport[] }),
  }
}

type PreDownloadReport = {
  workId: number
  contentHash: string
  state: 'Waiting' | 'Fetching' | 'Ready' | 'Failed'
  fetchedBytes: number
  message: string | null
}

/** The result of a work item as a part of a contact. */
export function contactResult(workId: number, changes: Partial<ReturnType<typeof result>> = {}) {
  return { workId, ...result(), ...changes }
}

export function result() {
  return {
    attempt: 1,
    status: 'Success' as 'Success' | 'Failed',
    installationState: null as 'Installed' | 'NotInstalled' | 'Uninstalled' | null,
    exitCode: 0 as number | null,
    startedUtc: '2026-03-14T09:26:53.000Z',
    finishedUtc: '2026-03-14T09:27:53.000Z',
    commandLine: 'sh install.sh' as string | null,
    output: '',
    errorText: null as string | null,
    rebootRequired: false,
  }
}
