import { closed, enumOf, Instant, nullable, Type, text } from '../../../platform/schema.ts'
import { vulnerabilityFormats } from '../documents/read-files.ts'

export const VulnerabilitySource = closed(
  {
    name: text(100, 'debian-security-tracker'),
    format: enumOf(vulnerabilityFormats, { title: 'VulnerabilityFormat' }),
    importedUtc: nullable({ ...Instant, description: 'The last import, also one that found the same documents' }),
    ranges: Type.Integer({ format: 'int32', examples: [48_000], description: 'Ranges of versions in its advisories' }),
    vulnerabilities: Type.Integer({
      format: 'int32',
      examples: [12_000],
      description: 'Vulnerabilities that it describes',
    }),
  },
  { title: 'VulnerabilitySource' },
)
