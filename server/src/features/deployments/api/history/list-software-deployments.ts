import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, Type, Uuid } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../../computers/computers.ts'
import { toCommandNames } from '../../../distribution/commands.ts'
import { fixWaitReason } from '../../../patches/fix-wait-reason.ts'
import { setupErrorRows } from '../../history-rows.ts'
import { type SoftwareDeploymentRow, softwareDeployments } from '../../software-deployments.ts'
import { SoftwareDeployment } from './schemas.ts'

export const listSoftwareDeployments = operation({
  id: 'listSoftwareDeployments',
  route: 'GET /api/computer/:id/software-deployment',
  summary: 'List the packages of a computer with their deployment status',
  description:
    'Lists the packages, language packs and operating system that are assigned through groups, directly or through a ' +
    'software class, and packages that are installed without an assignment; their `desiredMode` is empty. `currentMode` is ' +
    'what was carried out last.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    packageId: Type.Optional({ ...Uuid, description: 'Only this package' }),
    includePreOsPackages: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Include packages that run before the operating system',
      }),
    ),
  }),
  returns: ok(Type.Array(SoftwareDeployment)),
  problems: [computerNotFound],
  async handle({ params, query, db }) {
    await requireComputer(db, params.id)
    const { rows } = await softwareDeployments(params.id, query).execute(db)
    const hasFailure = rows.some(({ status }) => status === 'Failed')
    const errors = hasFailure
      ? await setupErrorRows(db, params.id).orderBy('setup_errors.id', 'desc').limit(10).execute()
      : []
    const isWaitingFix = ({ is_fix, status }: Pick<SoftwareDeploymentRow, 'is_fix' | 'status'>) =>
      is_fix && status === 'Pending'
    const fixDelay = rows.some(isWaitingFix) ? await findFixDelay(db, params.id) : null
    return rows.map(({ desired_mode, current_mode, is_fix, ...row }) => ({
      ...row,
      errorText: isWaitingFix({ is_fix, status: row.status }) ? fixDelay : row.errorText,
      desiredMode: toCommandNames(desired_mode).join(', '),
      currentMode: toCommandNames(current_mode).join(', '),
      setupErrorLogEntries: row.status === 'Failed' ? errors : null,
    }))
  },
})

/** Explains why a fix package is pending. Without it, the deployment would look stuck. */
async function findFixDelay(db: Database, computerId: number): Promise<string | null> {
  const { rows } = await sql<{ why: string | null }>`
    select ${fixWaitReason('computers.id')} as why from computers where id = ${computerId}`.execute(db)
  return rows[0]?.why ?? null
}
