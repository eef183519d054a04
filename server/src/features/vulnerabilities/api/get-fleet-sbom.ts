import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { fleetFilters, fleetScope } from '../../groups/fleet-filter.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { buildSbom } from '../sbom/build-sbom.ts'
import { readFleetProducts } from '../sbom/installed-products.ts'
import { Sbom } from '../sbom/schemas.ts'

const maxComponents = 50_000

export const getFleetSbom = operation({
  id: 'getFleetSbom',
  route: 'GET /api/fleet/sbom',
  summary: 'Get the software of all computers, or of a group, as a bill of materials',
  description:
    'A document in the format of CycloneDX 1.6. Each version of a product is one component for each platform, with the number of ' +
    'computers that have it. Those of most computers come first. If there are more than 50000, the others are left out, and ' +
    '`compositions` says so.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: closed(fleetFilters),
  returns: ok(Sbom),
  problems: [groupNotFound],
  extension: true,
  async handle({ query, db, setHeader }) {
    const scope = await fleetScope(db, query)
    const products = await readFleetProducts(db, scope, maxComponents + 1)
    const group = await db
      .selectFrom('groups')
      .select('path')
      .where('id', '=', query.groupId ?? null)
      .executeTakeFirst()
    setHeader('content-disposition', 'attachment; filename="fleet.cdx.json"')
    return buildSbom(
      { type: 'platform', name: group?.path ?? 'All computers' },
      null,
      products.slice(0, maxComponents),
      {
        isComplete: products.length <= maxComponents,
      },
    )
  },
})
