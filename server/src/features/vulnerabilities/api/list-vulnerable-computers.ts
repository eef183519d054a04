import { compositeKey } from '@muster/text'
import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, type Static, Type } from '../../../platform/schema.ts'
import { fleetFilters, fleetScope } from '../../groups/fleet-filter.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { computersWithComponent } from '../compare/affected-computers.ts'
import { isCovered } from '../exceptions/covered-computers.ts'
import { formatRemedy } from '../format-remedy.ts'
import { foundPackageSelection, foundPackages } from '../found-packages.ts'
import { listRemedies, type Remedy } from '../remedies.ts'
import { requireVulnerability } from '../vulnerability-rows.ts'
import { vulnerabilityNotFound } from './problems.ts'
import { VulnerabilityPath, VulnerableComputer } from './schemas.ts'

type Row = Omit<Static<typeof VulnerableComputer>, 'remedy'> & { componentId: number; sourceId: number }

export const listVulnerableComputers = operation({
  id: 'listVulnerableComputers',
  route: 'GET /api/vulnerabilities/:key/computers',
  summary: 'List the computers that a vulnerability affects',
  description:
    'One item per computer and affected package, by the last inventory of each computer, with the patch that will fix it.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  params: VulnerabilityPath,
  query: closed({
    ...paging,
    ...fleetFilters,
    isExcepted: Type.Optional(
      Type.Boolean({
        examples: [false],
        description: 'Only packages of computers that an exception covers, or only the others',
      }),
    ),
  }),
  returns: ok(pagedResultOf(VulnerableComputer)),
  problems: [vulnerabilityNotFound, groupNotFound],
  extension: true,
  async handle(call) {
    const { params, query, db } = call
    const id = await requireVulnerability(db, params.key)
    const scope = await fleetScope(db, query)
    const rows = sql<Row>`(
      select affected.computer_id as "clientId", component.id as "componentId", source.id as "sourceId",
        computer.name as hostname, computer.domain, ${foundPackageSelection},
        ${isCovered('found.vulnerability_id', 'affected.computer_id', 'component')} as "isExcepted"
      from ${foundPackages} cross join ${computersWithComponent('component')} as affected
        join computers computer on computer.id = affected.computer_id
      where found.vulnerability_id = ${id}
        ${scope ? sql`and affected.computer_id in (${scope})` : sql``})`
    let listed = db.selectFrom(rows.as('listed')).selectAll()
    if (query.isExcepted !== undefined) listed = listed.where('isExcepted', '=', query.isExcepted)
    const page = await pageOf(call, listed, { columns: ['clientId', 'componentId', 'sourceId'] })
    const remedies = await listRemedies(db, {
      vulnerabilityIds: [id],
      computerIds: page.items.map(({ clientId }) => clientId),
      componentIds: page.items.map(({ componentId }) => componentId),
    })
    const byFinding = new Map(remedies.map((remedy) => [keyOf(remedy.computerId, remedy), remedy]))
    const items = page.items.map(({ componentId, sourceId, ...computer }) => ({
      ...computer,
      remedy: describe(byFinding.get(keyOf(computer.clientId, { componentId, sourceId }))),
    }))
    return { ...page, items }
  },
})

const keyOf = (computerId: number, { componentId, sourceId }: Pick<Remedy, 'componentId' | 'sourceId'>) =>
  compositeKey(computerId, componentId, sourceId)

/** An inventory that arrives between the two statements may have fixed it. */
const gone = { state: 'NoPatch', patchId: null, patchName: null, approvedUtc: null } as const

const describe = (remedy: Remedy | undefined) => formatRemedy(remedy ?? gone)
