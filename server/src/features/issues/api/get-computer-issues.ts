import { sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computer-rows.ts'
import { type Issue, type Told, toldAbout } from '../issue.ts'
import { issues } from '../issues.ts'
import { issueComputerRows } from '../queries.ts'
import { ComputerIssues } from './schemas.ts'

const mostPatches = 25

type Sections = Omit<Static<typeof ComputerIssues>, 'activeIssues' | 'pendingReboot' | keyof Base>
type Base = Awaited<ReturnType<ReturnType<typeof issueComputerRows>['executeTakeFirstOrThrow']>>

/** What a computer without any issue shows. */
const nothing: Sections = {
  failedPackages: null,
  missingPatches: null,
  pmClientGaps: null,
  unencryptedDisks: null,
  lowDiskDrives: null,
  wornBatteries: null,
  staleAgentHours: null,
  staleInventoryDays: null,
  stalePendingPackages: null,
  suspensionMode: null,
  suspendedUntil: null,
}

export const getComputerIssues = operation({
  id: 'getComputerIssues',
  route: 'GET /api/computer/:id/issues',
  summary: 'Read everything that is wrong with a computer, by the default thresholds of the sweeps',
  description:
    'A section that is null or false is no issue of the computer; `activeIssues` names those that are. Of missing ' +
    'security patches the 25 worst are listed.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerIssues),
  problems: [computerNotFound],
  async handle({ params: { id }, db }) {
    const [found] = await issuesOf(db, id)
    if (!found) throw computerNotFound({ clientId: id })
    const { told: hits, ...computer } = found
    const active = hits.filter((hit) => hit !== null)
    const names = active.map(({ issue }) => issue) as Static<typeof ComputerIssues>['activeIssues']
    const sections: Sections = Object.assign({}, nothing, ...active)
    return {
      ...computer,
      ...sections,
      activeIssues: names,
      missingPatches: sections.missingPatches?.slice(0, mostPatches) ?? null,
      pendingReboot: names.includes('pending-reboot'),
    }
  },
})

const issuesOf = preparedStatement((db, id: number) => {
  const told = issues.map((one: Issue) => toldAbout(one, {}, true))
  return issueComputerRows(db)
    .select(sql<(Told | null)[]>`jsonb_build_array(${sql.join(told)})`.as('told'))
    .where('computers.id', '=', id)
    .compile()
})
