import { dirname } from 'node:path/posix'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { packageContent } from '../../../features/deployments/work-content.ts'
import { unixLines, windowsLines } from './commands.ts'
import { type Plan, type PlannedAction, planOf, type WorkKind } from './job-plan.ts'
import type { Order } from './refusals.ts'

export type DescribedFile = { path: string; size: number; sha512: string; parts: string[] }

export type AssociatedFile = {
  name: string
  mirrors: string[]
  multiparts: string[]
  p2p: 0
  'p2p-retention-duration': 0
  uncompress: 0
}

export type Job = { actions: object[]; associatedFiles: Record<string, AssociatedFile>; checks: object[]; plan: Plan }

/** How many lines of what a command prints an agent sends: each of them is a request. */
const mostLines = 200

type Content = Awaited<ReturnType<typeof packageContent>>

/** The files of a package as agents fetch them; undefined while the parts of one of them are not known. */
export async function describedFiles(db: Database, { files }: Content): Promise<DescribedFile[] | undefined> {
  const { rows } = await sql<{ sha256: string; sha512: string; parts: string[] }>`
    select encode(known.sha256, 'hex') as sha256, encode(known.sha512, 'hex') as sha512,
      array(select encode(part_sha512, 'hex') from file_parts where sha256 = known.sha256 order by position) as parts
    from file_digests known
    where known.sha256 = any (
      select decode(sha256, 'hex') from unnest(${files.map(({ sha256 }) => sha256)}::text[]) as wanted (sha256))`.execute(
    db,
  )
  const known = new Map(rows.map((row) => [row.sha256, row]))
  const described = files.flatMap(({ path, size, sha256 }) => {
    const found = known.get(sha256)
    return found ? { path, size, sha512: found.sha512, parts: found.parts } : []
  })
  return described.length === files.length ? described : undefined
}

/** What an agent has to do for a piece of work; or why it cannot be done. */
export function jobOf(
  order: Order,
  content: Content,
  files: readonly DescribedFile[],
  surroundings: { isWindows: boolean; mirror: string; variables: Record<string, string> },
): Job | string {
  const { isWindows, mirror, variables } = surroundings
  const placing = placingOf(files)
  const planned = planOf(order.kind as WorkKind, content.commands, {
    lines: isWindows ? windowsLines : unixLines,
    isWindows,
    first: placing.length,
  })
  if (typeof planned === 'string') return planned
  const envs = environmentOf(order, variables)
  return {
    plan: planned.plan,
    checks: checksOf(files, isWindows),
    actions: [...placing, ...planned.actions.map((action) => cmdOf(action, envs))],
    associatedFiles: Object.fromEntries(
      files.map(({ path, sha512, parts }) => [
        sha512,
        {
          name: arrivingName(path, sha512),
          mirrors: [mirror],
          multiparts: parts,
          p2p: 0,
          'p2p-retention-duration': 0,
          uncompress: 0,
        },
      ]),
    ),
  }
}

/** Agents put all files into one folder. */
function arrivingName(_path: string, sha512: string): string {
  return `muster-${sha512.slice(0, 32)}`
}

/** Brings the files from where they arrive to their places. A content that has several is copied to all but the last. */
function placingOf(files: readonly DescribedFile[]): object[] {
  const folders = [...new Set(files.map(({ path }) => dirname(path)))].filter((folder) => folder !== '.')
  const lastPlaces = new Map(files.map(({ path, sha512 }) => [sha512, path]))
  const ordered = files.toSorted(
    (a, b) => Number(lastPlaces.get(a.sha512) === a.path) - Number(lastPlaces.get(b.sha512) === b.path),
  )
  const moves = ordered.map(({ path, sha512 }) => ({
    [lastPlaces.get(sha512) === path ? 'move' : 'copy']: {
      name: 'place',
      from: arrivingName(path, sha512),
      to: path,
      logLineLimit: 0,
    },
  }))
  return folders.length > 0 ? [{ mkdir: { name: 'folders', list: folders, logLineLimit: 0 } }, ...moves] : moves
}

function cmdOf({ name, exec, okCodes }: PlannedAction, envs: Record<string, string>): object {
  return {
    cmd: {
      name,
      exec,
      envs,
      logLineLimit: mostLines,
      ...(okCodes && { retChecks: [{ type: 'okCode', values: okCodes.map(String) }] }),
    },
  }
}

/** Room for the parts, the file that is made of them, and what the commands make of that. */
function checksOf(files: readonly DescribedFile[], isWindows: boolean): object[] {
  const megabytes = Math.ceil(files.reduce((sum, { size }) => sum + Number(size), 0) / 1024 ** 2)
  if (megabytes < 2) return []
  const path = isWindows ? '%ProgramFiles%' : '/var'
  return [{ name: 'room on the disk', type: 'freespaceGreater', path, value: String(3 * megabytes), return: 'error' }]
}

function environmentOf({ kind, package: of }: Order, variables: Record<string, string>): Record<string, string> {
  const named = Object.entries(variables).map(([name, value]) => [
    `MUSTER_VAR_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`,
    value,
  ])
  return {
    ...Object.fromEntries(named),
    MUSTER_PACKAGE_NAME: of?.name ?? '',
    MUSTER_PACKAGE_VERSION: of?.version ?? '',
    MUSTER_WORK_KIND: kind,
  }
}
