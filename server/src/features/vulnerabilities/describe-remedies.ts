import { compositeKey } from '@muster/text'
import type { Database } from '../../database/connect.ts'
import { type ComputerRuling, computerRulings } from '../patches/policies/computer-rulings.ts'
import { formatRemedy } from './format-remedy.ts'
import { latestRemedy, listRemedies, type Remedy } from './remedies.ts'

type FoundPackage = { componentId: number; sourceId: number }

type Finding<P extends FoundPackage> = { vulnerabilityId: number; packages: readonly P[] }

/** Adds to the vulnerabilities of a computer how they go away. Two statements, whatever their number. */
export async function describeRemedies<P extends FoundPackage, F extends Finding<P>>(
  db: Database,
  computerId: number,
  findings: readonly (F & Finding<P>)[],
) {
  const remedies = await listRemedies(db, {
    vulnerabilityIds: findings.map(({ vulnerabilityId }) => vulnerabilityId),
    computerIds: [computerId],
    componentIds: [...new Set(findings.flatMap(({ packages }) => packages.map(({ componentId }) => componentId)))],
  })
  const known = new Map(remedies.map((remedy) => [keyOf(remedy.vulnerabilityId, remedy), remedy]))
  const rulings = await findRulings(db, computerId, remedies)
  const show = (remedy: Remedy) => formatRemedy(remedy, rulings.get(rulingKey(remedy)))
  return findings.map(({ vulnerabilityId, packages, ...finding }) => {
    const remedyOf = (one: P): Remedy =>
      known.get(keyOf(vulnerabilityId, one)) ?? gone(computerId, vulnerabilityId, one)
    const latest = latestRemedy(packages.map(remedyOf))
    if (!latest) throw new Error('A vulnerability of a computer has a package.')
    return {
      ...finding,
      remedy: show(latest),
      packages: packages.map(({ componentId, sourceId, ...one }) => {
        return { ...one, remedy: show(remedyOf({ componentId, sourceId } as P)) }
      }),
    }
  })
}

const keyOf = (vulnerabilityId: number, { componentId, sourceId }: FoundPackage) =>
  compositeKey(vulnerabilityId, componentId, sourceId)

const rulingKey = ({ patchId, productId }: Pick<Remedy, 'patchId' | 'productId'>) => compositeKey(patchId, productId)

/** An inventory that arrives between two statements may have fixed it. */
function gone(computerId: number, vulnerabilityId: number, { componentId, sourceId }: FoundPackage): Remedy {
  const nothing = { patchId: null, productId: null, patchName: null, approvedUtc: null }
  return { computerId, vulnerabilityId, componentId, sourceId, state: 'NoPatch', ...nothing }
}

/** What decides about the patches, as the tab of patches says it. */
async function findRulings(db: Database, computerId: number, remedies: readonly Remedy[]) {
  const patchIds = new Set(remedies.flatMap(({ patchId }) => patchId ?? []))
  if (patchIds.size === 0) return new Map<string, ComputerRuling>()
  const { rows } = await computerRulings(computerId).execute(db)
  return new Map(rows.map((ruling) => [rulingKey(ruling), ruling]))
}
