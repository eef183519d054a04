import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { isPxeActive } from '../../computers/computer-rows.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { isOfOpenInstallation, maxBootGrants } from '../boot-grants.ts'
import { OsInstallationState } from './schemas.ts'

export const getOsInstallation = operation({
  id: 'getOsInstallation',
  route: 'GET /api/computer/:id/os-installation',
  summary: 'Get the pending OS installation of a computer',
  description:
    'Shows which addresses have fetched a boot script, and reports that wait to be confirmed: by the enrolment of an agent, ' +
    'or by a person. More than one address may mean that somebody else asks with the MAC address of the computer.',
  role: 'computer.read',
  extension: true,
  params: ComputerPath,
  returns: ok(OsInstallationState),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const computer = await db
      .selectFrom('computers')
      .select(isPxeActive.as('isPending'))
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!computer) throw computerNotFound({ clientId: params.id })
    const { rows } = await sql<Static<typeof OsInstallationState>['bootRequests'][number]>`
      select address, fetched_at as "fetchedAtUtc", reported_at as "reportedAtUtc", reported_from as "reportedFrom",
        status, message
      from boot_grants where computer_id = ${params.id} and ${isOfOpenInstallation} order by fetched_at, address limit ${maxBootGrants}`.execute(
      db,
    )
    return { ...computer, bootRequests: rows }
  },
})
