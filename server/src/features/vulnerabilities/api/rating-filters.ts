import { Type, text } from '../../../platform/schema.ts'
import { VulnerabilitySeverity } from './schemas.ts'

/** The query parameters that select vulnerabilities by their ratings. */
export const ratingFilters = {
  search: Type.Optional(text(255, 'CVE-2026', 'A part of the number or of the title')),
  severity: Type.Optional(
    Type.Array(VulnerabilitySeverity, {
      maxItems: 5,
      examples: [['Critical']],
      description: 'Any of these severities',
    }),
  ),
  isKnownExploited: Type.Optional(
    Type.Boolean({ examples: [true], description: 'Whether it is known to be exploited (KEV)' }),
  ),
  minEpss: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, examples: [0.1], description: 'Only with at least this probability (EPSS)' }),
  ),
  minCvss: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, examples: [7], description: 'Only with at least this CVSS score' }),
  ),
}
