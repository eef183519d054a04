import type { Static } from '../../../platform/schema.ts'
import { type SbomProduct, toSbomComponent } from './components.ts'
import type { Sbom } from './schemas.ts'

type Subject = Static<typeof Sbom>['metadata']['component']

/** The document about a computer or several of them. It has no random number, so the same software results in the same one. */
export function buildSbom(
  subject: Subject,
  timestamp: Date | null,
  products: readonly SbomProduct[],
  { isComplete = true } = {},
): Static<typeof Sbom> {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { ...(timestamp && { timestamp }), component: subject },
    components: products.map(toSbomComponent),
    compositions: [{ aggregate: isComplete ? 'unknown' : 'incomplete' }],
  }
}
