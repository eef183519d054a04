import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { listOsDeployments } from '../../assignments/os-deployment-readiness.ts'
import { isPxeActive } from '../../computers/computer-rows.ts'
import { isOfOpenInstallation } from '../boot-grants.ts'
import { PendingOsInstallation } from './schemas.ts'

export const listOsInstallations = operation({
  id: 'listOsInstallations',
  route: 'GET /api/fleet/os-installations',
  summary: 'List the computers whose operating system is to be installed',
  description:
    'The computers that are activated for PXE, with what their installation still needs (as in getOsDeploymentReadiness) and ' +
    'how far it is (as in getOsInstallation), ordered by id.',
  role: 'computer.read',
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(PendingOsInstallation)),
  async handle(call) {
    const { db } = call
    const pending = db
      .selectFrom('computers')
      .where(isPxeActive)
      .select([
        'computers.id',
        'computers.name as hostname',
        'computers.domain',
        sql<Date>`(
          select min(activated_at) from activations where activations.computer_id = computers.id and activations.pxe
        )`.as('activatedAtUtc'),
        countGrants(sql<boolean>`true`).as('bootRequests'),
        countGrants(sql<boolean>`reported_at is not null`).as('reports'),
      ])
    const page = await pageOf(call, pending, { columns: ['id'] })
    const deployments = await listOsDeployments(
      db,
      page.items.map(({ id }) => id),
    )
    const byComputer = new Map(deployments.map((deployment) => [deployment.computerId, deployment]))
    return {
      ...page,
      items: page.items.map((installation) => {
        const { edition = null, missing = [] } = byComputer.get(installation.id) ?? {}
        return { ...installation, ready: missing.length === 0, edition, missing }
      }),
    }
  },
})

const countGrants = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`(
  select count(*)::integer from boot_grants
  where computer_id = computers.id and ${condition} and ${isOfOpenInstallation})`
