import { enumOf, Type, text } from '../../../platform/schema.ts'
import { patchSeverities } from '../../patches/patch-severities.ts'
import { releaseAges } from '../../patches/release-ages.ts'

/** The query parameters that select groups, and the patches that are counted for them. */
export const complianceFilters = {
  search: Type.Optional(text(255, 'Berlin', 'Text in the path of the group, regardless of case')),
  severity: Type.Optional(
    enumOf(patchSeverities, {
      description: 'Counts only patches with this severity as lacking, missing and overdue',
    }),
  ),
  age: Type.Optional(enumOf(releaseAges, { description: 'Counts only patches with this time since their release' })),
  overdue: Type.Optional(
    Type.Boolean({
      examples: [true],
      description: 'True: only groups that lack such a patch beyond its SLA. False: only the others',
    }),
  ),
}
