import { dirname } from 'node:path/posix'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { loadPackageContent } from '../../../features/deployments/started-work/package-content.ts'
import type { PackageWorkKind } from '../../../features/work-states/work-states.ts'
import { unixCommandLines, windowsCommandLines } from './commands.ts'
import { toJobCommands } from './job-commands.ts'
import { buildJobEnvironment } from './job-environment.ts'
import { buildPlan, type JobPlan, type PlannedAction } from './job-plan.ts'
import type { LeasedWorkItem } from './refusals.ts'

export type FileDescription = { path: string; size: number; sha512: string; parts: string[] }

export type AssociatedFile = {
  name: string
  mirrors: string[]
  multiparts: string[]
  p2p: 0
  'p2p-retention-duration': 0
  uncompress: 0
}

export type Job = {
  actions: object[]
  associatedFiles: Record<string, AssociatedFile>
  checks: object[]
  plan: JobPlan
}

/** How many lines of output an agent sends for each command. Every line costs a request. */
const maxLogLines = 200

type Content = Awaited<ReturnType<typeof loadPackageContent>>

/** The files of a package as agents download them; undefined while the parts of any of them are unknown. */
export async function findFileDescriptions(db: Database, { files }: Content): Promise<FileDescription[] | undefined> {
  const { rows } = await sql<{ sha256: string; sha512: string; parts: string[] }>`
    select encode(digest.sha256, 'hex') as sha256, encode(digest.sha512, 'hex') as sha512,
      array(select encode(part_sha512, 'hex') from file_parts where sha256 = digest.sha256 order by position) as parts
    from file_digests digest
    where digest.sha256 = any (
      select decode(sha256, 'hex') from unnest(${files.map(({ sha256 }) => sha256)}::text[]) as wanted (sha256))`.execute(
    db,
  )
  const digests = new Map(rows.map((row) => [row.sha256, row]))
  const descriptions = files.flatMap(({ path, size, sha256 }) => {
    const found = digests.get(sha256)
    return found ? { path, size, sha512: found.sha512, parts: found.parts } : []
  })
  return descriptions.length === files.length ? descriptions : undefined
}

/** The job for a work item, or why the package cannot do it. */
export function buildJob(
  item: LeasedWorkItem,
  content: Content,
  files: readonly FileDescription[],
  environment: { isWindows: boolean; mirror: string; variables: Record<string, string> },
): Job | string {
  const { isWindows, mirror, variables } = environment
  const placement = buildPlacement(files)
  const commands = toJobCommands(content, isWindows)
  if (typeof commands === 'string') return commands
  const planned = buildPlan(item.kind as PackageWorkKind, commands, {
    lines: isWindows ? windowsCommandLines : unixCommandLines,
    isWindows,
    first: placement.length,
  })
  if (typeof planned === 'string') return planned
  const passed = buildJobEnvironment(item, variables, isWindows)
  if (typeof passed === 'string') return passed
  const { envs, prefix } = passed
  return {
    plan: planned.plan,
    checks: buildChecks(files, isWindows),
    actions: [...placement, ...planned.actions.map((action) => buildCommand(action, envs, prefix))],
    associatedFiles: Object.fromEntries(
      files.map(({ sha512, parts }) => [
        sha512,
        {
          name: downloadName(sha512),
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

/** Agents download all files into one folder, so each needs a unique name there. */
function downloadName(sha512: string): string {
  return `muster-${sha512.slice(0, 32)}`
}

/** Moves the downloaded files to their paths. Content with several paths is copied to all of them except the last. */
function buildPlacement(files: readonly FileDescription[]): object[] {
  const folders = [...new Set(files.map(({ path }) => dirname(path)))].filter((folder) => folder !== '.')
  const lastPaths = new Map(files.map(({ path, sha512 }) => [sha512, path]))
  const ordered = files.toSorted(
    (a, b) => Number(lastPaths.get(a.sha512) === a.path) - Number(lastPaths.get(b.sha512) === b.path),
  )
  const moves = ordered.map(({ path, sha512 }) => ({
    [lastPaths.get(sha512) === path ? 'move' : 'copy']: {
      name: 'place',
      from: downloadName(sha512),
      to: path,
      logLineLimit: 0,
    },
  }))
  return folders.length > 0 ? [{ mkdir: { name: 'folders', list: folders, logLineLimit: 0 } }, ...moves] : moves
}

function buildCommand({ name, exec, okCodes }: PlannedAction, envs: Record<string, string>, prefix: string): object {
  return {
    cmd: {
      name,
      exec: prefix + exec,
      envs,
      logLineLimit: maxLogLines,
      ...(okCodes && { retChecks: [{ type: 'okCode', values: okCodes.map(String) }] }),
    },
  }
}

/** Requires disk space for the parts, the file that they form, and what the commands produce from it. */
function buildChecks(files: readonly FileDescription[], isWindows: boolean): object[] {
  const megabytes = Math.ceil(files.reduce((sum, { size }) => sum + Number(size), 0) / 1024 ** 2)
  if (megabytes < 2) return []
  const path = isWindows ? '%ProgramFiles%' : '/var'
  return [{ name: 'free disk space', type: 'freespaceGreater', path, value: String(3 * megabytes), return: 'error' }]
}
